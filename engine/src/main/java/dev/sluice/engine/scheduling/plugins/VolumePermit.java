package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.VolumePlan;
import dev.sluice.engine.scheduling.framework.Permit;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The Permit plugin that lets a pod wait until all its claims are bound. */
public final class VolumePermit implements Permit {
  private static final Wait WAIT = new Wait(Duration.ofMinutes(10));

  private final ClusterState cluster;

  public VolumePermit(ClusterState cluster) {
    this.cluster = cluster;
  }

  @Override
  public Plugin plugin() {
    return Plugin.VOLUME_BINDING;
  }

  @Override
  public Outcome ask(PodFacts pod, String node, Instant now) {
    Outcome answer = Outcome.YES;
    for (VolumePlan.Step step : cluster.volumes().promised(pod.key()).steps()) {
      Outcome outcome = ask(step, node, cluster.volumes().isWritten(pod.key()));
      if (outcome instanceof No) {
        return outcome;
      }
      answer = outcome instanceof Wait ? outcome : answer;
    }
    return answer;
  }

  private Outcome ask(VolumePlan.Step step, String node, boolean written) {
    String name = step.claim().name();
    Optional<PersistentVolumeClaim> found = cluster.volumes().claim(step.claim());
    if (found.isEmpty() || found.get().object().isDeleting()) {
      return new No("persistentvolumeclaim \"%s\" not found".formatted(name));
    }
    PersistentVolumeClaim claim = found.get();
    if (claim.isBound()) {
      return isReachable(claim, node)
          ? Outcome.YES
          : new No("pv bound to persistentvolumeclaim \"%s\" is out of reach".formatted(name));
    }
    // A provisioner that cannot provision for the node removes the selected node from the claim.
    boolean givenUp =
        step instanceof VolumePlan.Provision && written && !claim.selectedNode().equals(node);
    return givenUp
        ? new No("no volume could be made for persistentvolumeclaim \"%s\"".formatted(name))
        : WAIT;
  }

  private boolean isReachable(PersistentVolumeClaim claim, String node) {
    Optional<PersistentVolume> volume = cluster.volumes().volume(claim.volumeName());
    return volume.isPresent()
        && cluster
            .node(node)
            .filter(where -> volume.get().reachableFrom(node, where.facts().labels()))
            .isPresent();
  }

  @Override
  public void lost(PodFacts pod, String node) {
    cluster.volumes().forget(pod.key());
  }
}
