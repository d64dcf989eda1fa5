package dev.sluice.apiserver.registry.rules.core;

import static dev.sluice.apiserver.registry.rules.Edits.inside;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.apiserver.registry.rules.QuantityValidation;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.core.QuotaScope;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The rules of ResourceQuotas: the resources they may limit, and with which scopes. */
public final class ResourceQuotaRules implements KindRules {
  /** Resources that count objects. */
  private static final Set<String> COUNTS =
      Set.of(
          "pods",
          "services",
          "replicationcontrollers",
          "resourcequotas",
          "secrets",
          "configmaps",
          "persistentvolumeclaims",
          "services.nodeports",
          "services.loadbalancers");

  /** Compute resources of pods. */
  private static final Set<String> COMPUTE =
      Set.of(
          "cpu",
          "memory",
          "requests.cpu",
          "requests.memory",
          "limits.cpu",
          "limits.memory",
          "ephemeral-storage",
          "requests.ephemeral-storage",
          "limits.ephemeral-storage");

  private static final List<String> SCOPES =
      List.of(
          QuotaScope.TERMINATING,
          QuotaScope.NOT_TERMINATING,
          QuotaScope.BEST_EFFORT,
          QuotaScope.NOT_BEST_EFFORT,
          QuotaScope.PRIORITY_CLASS,
          QuotaScope.CROSS_NAMESPACE,
          "VolumeAttributesClass");

  /** Scopes that take no values. */
  private static final Set<String> WITHOUT_VALUES =
      Set.of(
          QuotaScope.TERMINATING,
          QuotaScope.NOT_TERMINATING,
          QuotaScope.BEST_EFFORT,
          QuotaScope.NOT_BEST_EFFORT,
          QuotaScope.CROSS_NAMESPACE);

  @Override
  public ApiObject withDefaults(ApiObject quota) {
    Tree spec = inside(quota.spec(), "hard", QuantityValidation::canonical);
    return spec.isEmpty() ? quota : quota.withSpec(spec);
  }

  @Override
  public void check(ApiObject quota, ValidationErrors problems) {
    Tree spec = quota.spec();
    checkResources("spec.hard", spec.tree("hard"), problems);
    Set<String> resources = new TreeSet<>(spec.tree("hard").names());
    checkScopes("spec.scopes", spec.textItems("scopes"), resources, problems);
    List<Tree> expressions = spec.trees("scopeSelector", "matchExpressions");
    String field = "spec.scopeSelector.matchExpressions";
    checkScopes(
        field,
        expressions.stream().map(one -> one.text("scopeName")).toList(),
        resources,
        problems);
    expressions.forEach(expression -> checkExpression(field, expression, problems));
  }

  private static void checkResources(String field, Tree list, ValidationErrors problems) {
    QuantityValidation.check(field, list, problems);
    list.forEach((resource, value) -> {
      String at = field + "[" + resource + "]";
      if (!resource.contains("/") && !isStandard(resource)) {
        problems.invalid(at, resource, "must be a standard resource for quota");
      }
      Optional<Quantity> quantity = QuantityValidation.parse(value);
      boolean whole = COUNTS.contains(resource) || resource.startsWith("count/");
      if (whole && quantity.isPresent() && !isWhole(quantity.get())) {
        problems.invalid(at, quantity.get().toString(), "must be an integer");
      }
    });
  }

  private static boolean isStandard(String resource) {
    return COUNTS.contains(resource)
        || COMPUTE.contains(resource)
        || resource.equals("requests.storage")
        || resource.startsWith("hugepages-")
        || resource.startsWith("requests.hugepages-");
  }

  private static boolean isWhole(Quantity quantity) {
    return Quantity.of(quantity.units()).compareTo(quantity) == 0;
  }

  private static void checkScopes(
      String field, List<String> scopes, Set<String> resources, ValidationErrors problems) {
    for (String scope : scopes) {
      if (!SCOPES.contains(scope)) {
        problems.invalid(field, scopes.toString(), "unsupported scope");
      }
      for (String resource : resources) {
        if (SCOPES.contains(scope) && isStandard(resource) && !isCompatible(scope, resource)) {
          problems.invalid(field, scopes.toString(), "unsupported scope applied to resource");
        }
      }
    }
    checkConflict(field, scopes, QuotaScope.BEST_EFFORT, QuotaScope.NOT_BEST_EFFORT, problems);
    checkConflict(field, scopes, QuotaScope.TERMINATING, QuotaScope.NOT_TERMINATING, problems);
  }

  /**
   * Whether a scope allows a resource: scopes are about pods, and best-effort pods have nothing to
   * limit but their number.
   */
  private static boolean isCompatible(String scope, String resource) {
    return switch (scope) {
      case QuotaScope.BEST_EFFORT -> resource.equals("pods");
      case "VolumeAttributesClass" ->
          resource.equals("persistentvolumeclaims") || resource.equals("requests.storage");
      default -> resource.equals("pods") || COMPUTE.contains(resource);
    };
  }

  private static void checkConflict(
      String field, List<String> scopes, String one, String other, ValidationErrors problems) {
    if (scopes.contains(one) && scopes.contains(other)) {
      problems.invalid(field, scopes.toString(), "conflicting scopes");
    }
  }

  private static void checkExpression(String field, Tree expression, ValidationErrors problems) {
    String operator = expression.text("operator");
    int values = expression.items("values").size();
    if (WITHOUT_VALUES.contains(expression.text("scopeName")) && !operator.equals("Exists")) {
      problems.invalid(
          field + ".operator",
          operator,
          "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
              + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
              + " ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity");
    }
    switch (operator) {
      case "In", "NotIn" -> {
        if (values == 0) {
          problems.required(
              field + ".values",
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (values > 0) {
          problems.invalid(
              field + ".values",
              expression.textItems("values").toString(),
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
        }
      }
      default -> problems.invalid(field + ".operator", operator, "not a valid selector operator");
    }
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    List<String> scopes = after.spec().textItems("scopes");
    if (!new TreeSet<>(before.spec().textItems("scopes")).equals(new TreeSet<>(scopes))) {
      problems.invalid("spec.scopes", scopes.toString(), "field is immutable");
    }
  }

  @Override
  public void checkStatus(ApiObject before, ApiObject after, ValidationErrors problems) {
    checkResources("status.hard", after.status().tree("hard"), problems);
    checkResources("status.used", after.status().tree("used"), problems);
  }
}
