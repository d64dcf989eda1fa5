package dev.sluice.controllers.nodes;

import dev.sluice.controllers.jobs.JobController;
import dev.sluice.controllers.scheduling.PodScheduler;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.Controller;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.util.ArrayList;
import java.util.List;

/** Stages that tests write, and who plays them. */
final class Stages {
  private Stages() {}

  /** All that a Job needs to run on simulated nodes. */
  static List<Controller> players(FakeCluster cluster) {
    var controllers = new ArrayList<Controller>();
    controllers.add(new JobController(cluster));
    controllers.add(new PodScheduler(cluster));
    controllers.addAll(SimulatedNodes.withPods(cluster, false));
    return controllers;
  }

  static ApiObject create(FakeCluster cluster, String name, String spec) {
    return cluster.create(
        Kinds.STAGE,
        Worlds.yaml(
            """
            apiVersion: kwok.x-k8s.io/v1alpha1
            kind: Stage
            metadata: {name: %s}
            spec:
              %s
            """
                .formatted(name, spec)));
  }
}
