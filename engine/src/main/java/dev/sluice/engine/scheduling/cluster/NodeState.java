package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.Amounts;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.HostPort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * A node with its pods and the sums of their requests.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class NodeState {
  private final int slot;
  private final LinkedHashMap<ObjectKey, PodFacts> pods = new LinkedHashMap<>();
  private final List<HostPort> ports = new ArrayList<>();
  private NodeFacts facts;
  private long[] requested = new long[8];
  private long reckonedCpu;
  private long reckonedMemory;
  private int podsWithTerms;

  NodeState(int slot, NodeFacts facts) {
    this.slot = slot;
    this.facts = facts;
  }

  /** A copy for changes on trial. */
  public NodeState copy() {
    var copy = new NodeState(slot, facts);
    pods.values().forEach(copy::add);
    return copy;
  }

  /** Whether it has pods of a lower priority. */
  public boolean hasBelow(long priority) {
    for (PodFacts pod : pods.values()) {
      if (pod.priority() < priority) {
        return true;
      }
    }
    return false;
  }

  /** A copy without the pods of a lower priority. */
  public NodeState withoutBelow(long priority) {
    var copy = new NodeState(slot, facts);
    pods.values().stream().filter(pod -> pod.priority() >= priority).forEach(copy::add);
    return copy;
  }

  void become(NodeFacts changed) {
    facts = changed;
  }

  public void add(PodFacts pod) {
    pods.put(pod.key(), pod);
    sum(pod);
  }

  /** Replaces a pod by one with the same requests. */
  void replace(PodFacts pod) {
    pods.put(pod.key(), pod);
  }

  public void remove(PodFacts pod) {
    pods.remove(pod.key());
    // Nothing can be subtracted from a sum that is saturated, so all sums are computed again.
    if (isSaturated()) {
      Arrays.fill(requested, 0);
      reckonedCpu = 0;
      reckonedMemory = 0;
      podsWithTerms = 0;
      ports.clear();
      pods.values().forEach(this::sum);
      return;
    }
    PodSignature signature = pod.signature();
    ResourceVector demand = signature.demand();
    for (int i = 0; i < demand.size(); i++) {
      requested[demand.resource(i)] -= demand.amount(i);
    }
    reckonedCpu -= signature.reckonedCpu();
    reckonedMemory -= signature.reckonedMemory();
    podsWithTerms -= pod.interPodTerms().concernsOthers() ? 1 : 0;
    signature.ports().forEach(ports::remove);
  }

  private void sum(PodFacts pod) {
    PodSignature signature = pod.signature();
    ResourceVector demand = signature.demand();
    for (int i = 0; i < demand.size(); i++) {
      int resource = demand.resource(i);
      requested = resource < requested.length ? requested : Arrays.copyOf(requested, resource + 8);
      requested[resource] = Amounts.sum(requested[resource], demand.amount(i));
    }
    reckonedCpu = Amounts.sum(reckonedCpu, signature.reckonedCpu());
    reckonedMemory = Amounts.sum(reckonedMemory, signature.reckonedMemory());
    podsWithTerms += pod.interPodTerms().concernsOthers() ? 1 : 0;
    ports.addAll(signature.ports());
  }

  private boolean isSaturated() {
    boolean saturated = reckonedCpu == Amounts.UNLIMITED || reckonedMemory == Amounts.UNLIMITED;
    for (long sum : requested) {
      saturated |= sum == Amounts.UNLIMITED;
    }
    return saturated;
  }

  /** Its index in arrays over all nodes. */
  public int slot() {
    return slot;
  }

  public NodeFacts facts() {
    return facts;
  }

  public String name() {
    return facts.name();
  }

  public Collection<PodFacts> pods() {
    return Collections.unmodifiableCollection(pods.values());
  }

  public int podCount() {
    return pods.size();
  }

  public List<HostPort> ports() {
    return Collections.unmodifiableList(ports);
  }

  public long requested(int resource) {
    return ResourceIndex.get(requested, resource);
  }

  public long free(int resource) {
    return Amounts.difference(facts.allocatable(resource), requested(resource));
  }

  public long reckonedCpu() {
    return reckonedCpu;
  }

  public long reckonedMemory() {
    return reckonedMemory;
  }

  /** Whether one of its pods has inter-pod affinity or anti-affinity. */
  public boolean hasPodsWithTerms() {
    return podsWithTerms > 0;
  }
}
