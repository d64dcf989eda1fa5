package dev.sluice.engine.scheduling.cluster;

import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.model.Amounts;
import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import dev.sluice.model.core.node.NodeAffinity;
import dev.sluice.model.core.node.PreferredNodeTerm;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.pod.ClaimUse;
import dev.sluice.model.core.pod.Disk;
import dev.sluice.model.core.pod.HostPort;
import dev.sluice.model.core.pod.PodSpec;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * The scheduling signature of a pod: all that decides how well it fits on a node, apart from other
 * pods. Pods with equal signatures get the same result on every node, so a result for one holds for
 * the others.
 *
 * @param reckonedCpu the request that scores count: more than {@code demand} if a container
 *     requests none; likewise {@code reckonedMemory}
 * @param onlyNodes the names of the only nodes that it can be assigned to, if it names some
 * @param images the names that nodes report: always with a tag
 * @param deviceClaims the device claims, as messages show them
 * @param schedulerName the scheduler that it asks for, which chooses the {@link Profile}
 */
public record PodSignature(
    ResourceVector demand,
    long reckonedCpu,
    long reckonedMemory,
    SortedMap<String, String> nodeSelector,
    NodeAffinity affinity,
    SortedSet<String> onlyNodes,
    List<PreferredNodeTerm> preferences,
    Tolerations tolerations,
    List<HostPort> ports,
    List<String> images,
    int containers,
    List<ClaimUse> volumeClaims,
    List<Disk> disks,
    List<String> deviceClaims,
    String schedulerName) {
  private static final Quantities LEAST = least();

  public PodSignature {
    preferences = List.copyOf(preferences);
    ports = List.copyOf(ports);
    images = List.copyOf(images);
    volumeClaims = List.copyOf(volumeClaims);
    disks = List.copyOf(disks);
    deviceClaims = List.copyOf(deviceClaims);
  }

  private static Quantities least() {
    var least = new TreeMap<String, Quantity>();
    least.put("cpu", Quantity.ofMillis(100));
    least.put("memory", Quantity.of(200L << 20));
    return new Quantities(least);
  }

  static PodSignature of(PodSpec pod, ResourceIndex resources) {
    Amounts reckoned = pod.reckonedRequests(LEAST);
    return new PodSignature(
        ResourceVector.of(pod.requests(), resources),
        reckoned.get("cpu"),
        reckoned.get("memory"),
        pod.nodeSelector(),
        pod.nodeAffinity(),
        pod.nodeAffinity().nodeNames(),
        pod.preferredNodeTerms(),
        new Tolerations(pod.tolerations()),
        pod.hostPorts(),
        pod.images().stream().map(PodSignature::withTag).toList(),
        pod.initContainers().size() + pod.containers().size(),
        pod.volumeClaims(),
        pod.disks(),
        pod.deviceClaimsInWords(),
        pod.schedulerName());
  }

  private static String withTag(String image) {
    return image.lastIndexOf(':') > image.lastIndexOf('/') ? image : image + ":latest";
  }

  public boolean tolerates(Taint taint) {
    return tolerations.tolerates(taint);
  }

  /** Whether it tolerates all taints with the effect NoSchedule or NoExecute. */
  public boolean toleratesAll(List<Taint> taints) {
    for (Taint taint : taints) {
      if (taint.repels() && !tolerates(taint)) {
        return false;
      }
    }
    return true;
  }

  /** Whether its node selector and required affinity match a node. */
  public boolean selects(String nodeName, SortedMap<String, String> labels) {
    for (var wanted : nodeSelector.entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    return affinity.matches(nodeName, labels);
  }
}
