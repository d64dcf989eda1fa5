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
 * All that decides how well a pod fits on a node, apart from other pods. Pods of equal shape get
 * the same answer from every node, so what was found out for one holds for the others.
 *
 * @param reckonedCpu what nodes are compared with: more than {@code demand} if a container asks for
 *     nothing; likewise {@code reckonedMemory}
 * @param onlyNodes the names of the only nodes it can go to, if it names some
 * @param images by the names under which nodes have them: always with a tag
 * @param deviceClaims the claims of devices, as users know them
 * @param schedulerName whom it asks for, and so by which {@link Profile} it is judged
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

  /** Whether it tolerates all taints of a node that keep pods away. */
  public boolean toleratesAll(List<Taint> taints) {
    for (Taint taint : taints) {
      if (taint.repels() && !tolerates(taint)) {
        return false;
      }
    }
    return true;
  }

  /** Whether it may choose a node with these labels. */
  public boolean selects(String nodeName, SortedMap<String, String> labels) {
    for (var wanted : nodeSelector.entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    return affinity.matches(nodeName, labels);
  }
}
