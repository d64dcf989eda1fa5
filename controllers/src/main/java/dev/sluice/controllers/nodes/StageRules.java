package dev.sluice.controllers.nodes;

import dev.sluice.controllers.nodes.stage.StageReader;
import dev.sluice.controllers.nodes.template.RandomFunctions;
import dev.sluice.controllers.nodes.template.TemplateFunction;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.ValidationErrors;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.Cluster;
import java.util.SortedMap;

/**
 * The admission hook that refuses invalid stages: their expressions and templates are compiled at
 * once.
 */
public final class StageRules implements AdmissionHook {
  private final SortedMap<String, TemplateFunction> functions;

  public StageRules(Cluster cluster) {
    SimulationSettings any = SimulationSettings.DEFAULT;
    this.functions =
        WorldFunctions.of(
            () -> cluster.time().now(),
            new Addresses(cluster, any.podCidr()),
            any,
            RandomFunctions.of(cluster.random()));
  }

  @Override
  public ResourceKind kind() {
    return Kinds.STAGE;
  }

  @Override
  public void checkCreate(ApiObject stage) {
    problems(stage).refuse(Kinds.STAGE, stage.name());
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after) {
    problems(after).refuseNew(problems(before), Kinds.STAGE, after.name());
  }

  private ValidationErrors problems(ApiObject stage) {
    return StageReader.read(stage, functions).problems();
  }
}
