package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The validation of the quotas of ClusterQueues and Cohorts.
 *
 * @param parent the field with the parent cohort; without a parent nothing is borrowed or lent
 * @param lendsOwnQuota whether at most the nominal quota can be lent, as by a ClusterQueue; a
 *     cohort also lends the quota of its subtree
 */
record QuotaRules(String parent, boolean lendsOwnQuota) {
  private static final String GROUPS = "spec.resourceGroups";
  private static final BigDecimal MIN_WEIGHT = new BigDecimal("0.000000001");

  void check(ApiObject owner, ValidationErrors problems) {
    SortedSet<String> resources = new TreeSet<>();
    SortedSet<String> flavors = new TreeSet<>();
    boolean withoutParent = owner.spec().text(parent).isEmpty();
    List<Tree> groups = owner.spec().trees("resourceGroups");
    for (int i = 0; i < groups.size(); i++) {
      String at = GROUPS + "[" + i + "]";
      checkCovered(at, groups.get(i), resources, problems);
      checkFlavors(at, groups.get(i), withoutParent, flavors, problems);
    }
    checkWeight(owner, problems);
  }

  private static void checkCovered(
      String group, Tree tree, SortedSet<String> seen, ValidationErrors problems) {
    List<String> covered = tree.textItems("coveredResources");
    for (int i = 0; i < covered.size(); i++) {
      String at = group + ".coveredResources[" + i + "]";
      problems.invalidIf(NameSyntax.qualifiedNameProblem(covered.get(i)), at, covered.get(i));
      if (!seen.add(covered.get(i))) {
        problems.duplicate(at, covered.get(i));
      }
    }
  }

  private void checkFlavors(
      String group,
      Tree tree,
      boolean withoutParent,
      SortedSet<String> seen,
      ValidationErrors problems) {
    List<Tree> flavors = tree.trees("flavors");
    for (int i = 0; i < flavors.size(); i++) {
      String at = group + ".flavors[" + i + "]";
      String name = flavors.get(i).text("name");
      if (!seen.add(name)) {
        problems.duplicate(at + ".name", name);
      }
      checkResources(
          at, flavors.get(i), tree.textItems("coveredResources"), withoutParent, problems);
    }
  }

  private void checkResources(
      String flavor,
      Tree tree,
      List<String> covered,
      boolean withoutParent,
      ValidationErrors problems) {
    List<Tree> resources = tree.trees("resources");
    for (int i = 0; i < resources.size(); i++) {
      String at = flavor + ".resources[" + i + "]";
      String name = resources.get(i).text("name");
      if (i < covered.size() && !name.equals(covered.get(i))) {
        problems.invalid(
            at + ".name",
            name,
            "must be \"%s\": resources stand in the order of coveredResources"
                .formatted(ValidationErrors.cut(covered.get(i))));
      }
      checkQuota(at, resources.get(i), withoutParent, problems);
    }
  }

  private void checkQuota(
      String at, Tree resource, boolean withoutParent, ValidationErrors problems) {
    Optional<Quantity> nominal = limit(at, resource, "nominalQuota", false, problems);
    limit(at, resource, "borrowingLimit", withoutParent, problems);
    Optional<Quantity> lending = limit(at, resource, "lendingLimit", withoutParent, problems);
    boolean tooMuch =
        lendsOwnQuota
            && lending.isPresent()
            && nominal.isPresent()
            && lending.get().compareTo(nominal.get()) > 0;
    if (tooMuch) {
      problems.invalid(
          at + ".lendingLimit",
          resource.at("lendingLimit"),
          "must be less than or equal to the nominalQuota");
    }
  }

  private Optional<Quantity> limit(
      String at, Tree resource, String field, boolean unwanted, ValidationErrors problems) {
    Value value = resource.at(field);
    if (value == Value.Null.NULL) {
      return Optional.empty();
    }
    if (unwanted) {
      problems.invalid(
          at + "." + field, value, "must be left out when %s is empty".formatted(parent));
    }
    return QuantityRules.check(at + "." + field, value, problems);
  }

  /** Shares are divided by the weight, so it must not be almost zero. */
  private static void checkWeight(ApiObject owner, ValidationErrors problems) {
    Value value = owner.spec().at("fairSharing", "weight");
    if (value == Value.Null.NULL) {
      return;
    }
    String field = "spec.fairSharing.weight";
    Optional<Quantity> weight = QuantityRules.check(field, value, problems);
    boolean tooSmall =
        weight
            .map(Quantity::value)
            .filter(number -> number.signum() > 0 && number.compareTo(MIN_WEIGHT) <= 0)
            .isPresent();
    if (tooSmall) {
      problems.invalid(field, value, "must be 0 or greater than 1n");
    }
  }
}
