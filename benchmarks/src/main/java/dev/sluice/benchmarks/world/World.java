package dev.sluice.benchmarks.world;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A running control plane with Sluice's queues, started for one measurement. */
public sealed interface World extends AutoCloseable permits EmbeddedWorld, KubernetesWorld {

  /** Which kinds there are. */
  enum Choice {
    EMBEDDED,
    KUBERNETES;

    public World start(SluiceServer.Options options) {
      return switch (this) {
        case EMBEDDED -> new EmbeddedWorld(options);
        case KUBERNETES -> new KubernetesWorld(options);
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How to reach it as an administrator. */
  Path kubeconfig();

  /** What its processes have used so far. */
  List<ServerUse> use();

  @Override
  void close();
}
