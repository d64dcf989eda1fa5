package dev.sluice.benchmarks.world;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A running control plane with queues, started for one measurement. */
public sealed interface World extends AutoCloseable
    permits EmbeddedWorld, KubernetesWorld, KueueWorld {

  /** The kinds of control planes. */
  enum Choice {
    EMBEDDED,
    KUBERNETES,
    /** The peer, which takes no options of Sluice's. */
    KUEUE;

    /** Whether our own code decides there. */
    public boolean isSluice() {
      return this != KUEUE;
    }

    /** Fails now if it could not start later. */
    public void requireInstalled() {
      switch (this) {
        case EMBEDDED -> {}
        case KUBERNETES -> KubernetesWorld.installed();
        case KUEUE -> {
          KubernetesWorld.installed();
          KueueWorld.installed();
        }
      }
    }

    public World start(SluiceServer.Options options) {
      return switch (this) {
        case EMBEDDED -> new EmbeddedWorld(options);
        case KUBERNETES -> new KubernetesWorld(options);
        case KUEUE -> new KueueWorld();
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
