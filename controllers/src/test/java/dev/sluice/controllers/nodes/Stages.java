package dev.sluice.controllers.nodes;

import dev.sluice.controllers.FakeCluster;
import dev.sluice.controllers.Worlds;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;

/** Stages that tests write. */
final class Stages {
  private Stages() {}

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
