package dev.sluice.simulator.run;

import dev.sluice.controllers.PodRemoval;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Disruption;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.simulator.load.Times;
import dev.sluice.simulator.scenario.Fault;
import dev.sluice.simulator.scenario.Fault.Kind;
import dev.sluice.simulator.scenario.NodePool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Makes go wrong what a scenario says, and brings node pools up and down at their times. */
final class FaultInjector {
  private static final Duration DAY = Duration.ofDays(1);

  private final Cluster cluster;
  private final Network network;
  private final Consumer<ApiObject> create;
  private final RandomGenerator random;
  private final BooleanSupplier busy;
  private final Runnable restart;

  /**
   * @param create creates an object as it is
   * @param busy whether jobs are still to come or to end
   * @param restart asks for new controllers
   */
  FaultInjector(
      Cluster cluster,
      Network network,
      Consumer<ApiObject> create,
      RandomGenerator random,
      BooleanSupplier busy,
      Runnable restart) {
    this.cluster = cluster;
    this.network = network;
    this.create = create;
    this.random = random;
    this.busy = busy;
    this.restart = restart;
  }

  void play(NodePool pool) {
    at(
        pool.from(),
        () -> {
          for (int number = 0; number < pool.count(); number++) {
            create.accept(pool.node(number));
          }
        });
    pool.until().ifPresent(end -> at(end, () -> nodes(pool.name()).forEach(this::delete)));
  }

  private void at(Duration delay, Runnable action) {
    if (delay.isZero()) {
      action.run();
    } else {
      cluster.time().after(delay, action);
    }
  }

  void play(Fault fault) {
    fault.at().forEach(time -> cluster.time().after(time, () -> begin(fault)));
    if (fault.perDay() > 0) {
      playAtRandom(fault, Duration.ZERO);
    }
  }

  private void playAtRandom(Fault fault, Duration elapsed) {
    Duration gap = Times.scaled(DAY, random.nextExponential() / fault.perDay());
    Duration next = elapsed.plus(gap);
    if (fault.until().filter(end -> next.compareTo(end) > 0).isEmpty()) {
      cluster
          .time()
          .after(
              gap,
              () -> {
                if (busy.getAsBoolean()) {
                  begin(fault);
                  playAtRandom(fault, next);
                }
              });
    }
  }

  private void begin(Fault fault) {
    switch (fault.kind()) {
      case Kind.NodeDown(String pool, int count) -> nodesDown(pool, count, fault.lasting());
      case Kind.ApiOutage() -> network.fail(fault.lasting());
      case Kind.ControllerRestart() -> restart.run();
      case Kind.SlowWatch(Duration delay) -> network.slowDown(delay, fault.lasting());
    }
  }

  private void nodesDown(String pool, int count, Duration lasting) {
    var up = new ArrayList<>(nodes(pool));
    for (int i = 0; i < count && !up.isEmpty(); i++) {
      ApiObject node = up.remove(random.nextInt(up.size()));
      delete(node);
      cluster.time().after(lasting, () -> comeBack(node));
    }
  }

  private void comeBack(ApiObject node) {
    if (cluster.get(node.key(Kinds.NODE)).isEmpty()) {
      ApiObject empty = node.withoutMetadata("uid").withoutMetadata("resourceVersion");
      create.accept(empty.withoutMetadata("creationTimestamp"));
    }
  }

  private List<ApiObject> nodes(String pool) {
    return cluster.list(Kinds.NODE).stream()
        .filter(node -> node.label(NodePool.LABEL).equals(pool))
        .toList();
  }

  /** The pods go with the machine: waiting until they are missed would let them end well. */
  private void delete(ApiObject node) {
    cluster.delete(Kinds.NODE, node, Deletion.BACKGROUND);
    cluster.list(Kinds.POD).stream()
        .map(Pod::new)
        .filter(pod -> pod.nodeName().equals(node.name()))
        .forEach(pod ->
            PodRemoval.remove(cluster, pod, Disruption.NODE_GONE.of(pod, cluster.time().now())));
  }
}
