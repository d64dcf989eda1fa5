package dev.sluice.controllers.nodes.usage;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.ValidationErrors;
import dev.sluice.runtime.AdmissionHook;
import java.util.List;

/**
 * The admission hook that refuses invalid usage and metric objects: their expressions are compiled
 * at once.
 */
public final class UsageRules implements AdmissionHook {
  private final ResourceKind kind;
  private final Programs programs;

  private UsageRules(ResourceKind kind, Programs programs) {
    this.kind = kind;
    this.programs = programs;
  }

  /** The hooks of all kinds. */
  public static List<AdmissionHook> all() {
    Programs ofUsage = Usages.programs();
    return List.of(
        new UsageRules(Kinds.RESOURCE_USAGE, ofUsage),
        new UsageRules(Kinds.CLUSTER_RESOURCE_USAGE, ofUsage),
        new UsageRules(Kinds.METRIC, SimulatedUsage.metricPrograms()));
  }

  @Override
  public ResourceKind kind() {
    return kind;
  }

  @Override
  public void checkCreate(ApiObject object) {
    problems(object).refuse(kind, object.name());
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after) {
    problems(after).refuseNew(problems(before), kind, after.name());
  }

  private ValidationErrors problems(ApiObject object) {
    var problems = new ValidationErrors();
    if (kind.equals(Kinds.METRIC)) {
      MetricTable.read(object, programs, problems);
    } else {
      UsageTable.read(object, programs, problems);
    }
    return problems;
  }
}
