package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.apiserver.registry.rules.QuantityValidation;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/** The validation of the resources of a container, or of a pod as a whole. */
final class ResourceValidation {
  private static final String HUGE_PAGES = "hugepages-";
  private static final List<String> OF_CONTAINERS = List.of("cpu", "memory", "ephemeral-storage");
  private static final List<String> OF_PODS = List.of("cpu", "memory");

  private final List<String> standard;
  private final boolean takesOthers;
  private final ValidationErrors problems;

  private ResourceValidation(
      List<String> standard, boolean takesOthers, ValidationErrors problems) {
    this.standard = standard;
    this.takesOthers = takesOthers;
    this.problems = problems;
  }

  static void checkContainer(String field, Tree resources, ValidationErrors problems) {
    if (!resources.isEmpty()) {
      new ResourceValidation(OF_CONTAINERS, true, problems).check(field, resources);
    }
  }

  /** Validates the resources of a pod as a whole, which has no devices. */
  static void checkPod(String field, Tree resources, ValidationErrors problems) {
    if (!resources.isEmpty()) {
      new ResourceValidation(OF_PODS, false, problems).check(field, resources);
    }
  }

  /** Validates the overhead of a pod like the limits of a container. */
  static void checkOverhead(String field, Tree overhead, ValidationErrors problems) {
    checkContainer(field, overhead.isEmpty() ? overhead : Tree.of("limits", overhead), problems);
  }

  private void check(String field, Tree resources) {
    Tree limits = resources.tree("limits");
    Tree requests = resources.tree("requests");
    checkAmounts(field + ".limits", limits);
    checkAmounts(field + ".requests", requests);
    for (String resource : requests.names()) {
      Optional<Quantity> request = QuantityValidation.parse(requests.at(resource));
      Optional<Quantity> limit = QuantityValidation.parse(limits.at(resource));
      if (request.isPresent() && limit.isPresent()) {
        checkRequest(field + ".requests", resource, request.get(), limit.get());
      } else if (request.isPresent() && !limits.has(resource) && !isShared(resource)) {
        problems.required(
            field + ".limits", "a limit must be set for " + resource + ", which is not shared");
      }
    }
    boolean huge = hasHugePages(limits) || hasHugePages(requests);
    if (huge && !hasPlain(limits) && !hasPlain(requests)) {
      problems.forbidden(field, "HugePages require cpu or memory");
    }
  }

  private static boolean hasHugePages(Tree amounts) {
    return amounts.names().stream().anyMatch(name -> name.startsWith(HUGE_PAGES));
  }

  private static boolean hasPlain(Tree amounts) {
    return amounts.has("cpu") || amounts.has("memory");
  }

  private void checkAmounts(String field, Tree amounts) {
    for (String resource : amounts.names()) {
      String at = field + "[" + resource + "]";
      checkName(at, resource);
      Optional<Quantity> quantity = QuantityValidation.parse(amounts.at(resource));
      if (quantity.isPresent()) {
        checkAmount(at, resource, quantity.get());
      } else {
        problems.invalid(
            at,
            amounts.text(resource),
            "is not a quantity; write it like \"500m\", \"2\" or \"1Gi\"");
      }
    }
  }

  private void checkName(String at, String resource) {
    if (standard.contains(resource) || resource.startsWith(HUGE_PAGES)) {
      return;
    }
    if (!takesOthers) {
      problems.oneOf(at, resource, List.of("cpu", HUGE_PAGES, "memory"));
      return;
    }
    String problem = NameSyntax.qualifiedNameProblem(resource);
    if (problem.isEmpty() && !resource.contains("/")) {
      problem = "must be a standard resource for containers, or have a domain before a '/'";
    } else if (resource.startsWith("requests.")) {
      problem = "doesn't follow extended resource name standard";
    }
    problems.invalidIf(problem, at, resource);
  }

  private void checkAmount(String at, String resource, Quantity amount) {
    if (amount.isNegative()) {
      problems.invalid(at, amount.toString(), "must be greater than or equal to 0");
    }
    boolean counted = resource.contains("/") && !resource.startsWith("kubernetes.io/");
    if (counted && amount.value().stripTrailingZeros().scale() > 0) {
      problems.invalid(at, amount.toString(), "must be an integer");
    }
    if (resource.startsWith(HUGE_PAGES)) {
      checkPages(at, resource, amount);
    }
  }

  private void checkPages(String at, String resource, Quantity amount) {
    Optional<Quantity> page =
        Quantity.parse(resource.substring(HUGE_PAGES.length()))
            .filter(size -> size.value().signum() > 0);
    boolean whole =
        page.isPresent()
            && amount.value().signum() > 0
            && amount.value().remainder(page.get().value()).signum() == 0;
    if (!whole) {
      problems.invalid(
          at,
          amount.toString(),
          "%s is not positive integer multiple of %s".formatted(amount, resource));
    }
  }

  private void checkRequest(String field, String resource, Quantity request, Quantity limit) {
    boolean shared = isShared(resource);
    int order = request.compareTo(limit);
    if (shared ? order > 0 : order != 0) {
      String relation = shared ? "less than or equal to" : "equal to";
      problems.invalid(
          field,
          request.toString(),
          "must be %s %s limit of %s".formatted(relation, resource, limit));
    }
  }

  /**
   * Whether a resource can be overcommitted: for devices and huge pages the limit is the request.
   */
  private static boolean isShared(String resource) {
    return !resource.startsWith(HUGE_PAGES)
        && (!resource.contains("/") || resource.startsWith("kubernetes.io/"));
  }
}
