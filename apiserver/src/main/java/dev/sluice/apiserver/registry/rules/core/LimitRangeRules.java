package dev.sluice.apiserver.registry.rules.core;

import static dev.sluice.apiserver.registry.rules.Edits.each;
import static dev.sluice.apiserver.registry.rules.Edits.inside;
import static dev.sluice.apiserver.registry.rules.Edits.orElse;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.apiserver.registry.rules.QuantityValidation;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The rules of LimitRanges: validation only; admission enforces them. */
public final class LimitRangeRules implements KindRules {
  private static final List<String> LISTS =
      List.of("default", "defaultRequest", "max", "maxLimitRequestRatio", "min");

  @Override
  public ApiObject withDefaults(ApiObject object) {
    Tree spec = each(object.spec(), "limits", LimitRangeRules::withDefaults);
    return spec.isEmpty() ? object : object.withSpec(spec);
  }

  private static Tree withDefaults(Tree limit) {
    Tree filled = limit;
    for (String list : LISTS) {
      filled = inside(filled, list, QuantityValidation::canonical);
    }
    if (!limit.text("type").equals("Container")) {
      return filled;
    }
    filled = filledFrom(filled, "default", filled.tree("max"));
    filled = filledFrom(filled, "defaultRequest", filled.tree("default"));
    return filledFrom(filled, "defaultRequest", filled.tree("min"));
  }

  private static Tree filledFrom(Tree limit, String list, Tree source) {
    Tree filled = limit.tree(list);
    for (String resource : source.names()) {
      filled = orElse(filled, resource, source.at(resource));
    }
    return filled.isEmpty() ? limit : limit.with(list, filled);
  }

  @Override
  public void check(ApiObject object, ValidationErrors problems) {
    List<Tree> limits = object.spec().trees("limits");
    var types = new TreeSet<String>();
    for (int i = 0; i < limits.size(); i++) {
      Tree limit = limits.get(i);
      String at = "spec.limits[" + i + "]";
      String type = limit.text("type");
      if (type.isEmpty()) {
        problems.required(at + ".type", "");
      } else if (!types.add(type)) {
        problems.duplicate(at + ".type", type);
      }
      for (String list : LISTS) {
        QuantityValidation.check(at + "." + list, limit.tree(list), problems);
      }
      checkType(at, type, limit, problems);
      checkOrder(at, limit, problems);
    }
  }

  private static void checkType(String at, String type, Tree limit, ValidationErrors problems) {
    for (String list : List.of("default", "defaultRequest")) {
      if (type.equals("Pod") && !limit.tree(list).isEmpty()) {
        problems.forbidden(at + "." + list, "may not be specified when `type` is 'Pod'");
      }
    }
    Tree bounds = limit.tree("min").isEmpty() ? limit.tree("max") : limit.tree("min");
    if (type.equals("PersistentVolumeClaim") && !bounds.has("storage")) {
      problems.required(at + ".limits", "either minimum or maximum storage value is required");
    }
  }

  /**
   * Validates that each of these is not greater than the next, for the resources that both name.
   */
  private static void checkOrder(String at, Tree limit, ValidationErrors problems) {
    List<String> ascending = List.of("min", "defaultRequest", "default", "max");
    for (int low = 0; low < ascending.size(); low++) {
      for (int high = low + 1; high < ascending.size(); high++) {
        checkOrder(at, limit, ascending.get(low), ascending.get(high), problems);
      }
    }
  }

  private static void checkOrder(
      String at, Tree limit, String low, String high, ValidationErrors problems) {
    for (String resource : limit.tree(low).names()) {
      Optional<Quantity> least = QuantityValidation.parse(limit.at(low, resource));
      Optional<Quantity> most = QuantityValidation.parse(limit.at(high, resource));
      if (least.isPresent() && most.isPresent() && least.get().compareTo(most.get()) > 0) {
        problems.invalid(
            "%s.%s[%s]".formatted(at, low, resource),
            least.get().toString(),
            "%s value %s is greater than %s value %s"
                .formatted(low, least.get(), high, most.get()));
      }
    }
  }
}
