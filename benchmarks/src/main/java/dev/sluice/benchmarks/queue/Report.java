package dev.sluice.benchmarks.queue;

import dev.sluice.benchmarks.world.ServerUse;
import dev.sluice.benchmarks.world.World;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The measurements of a run.
 *
 * @param wall from the first creation to the last observed end
 * @param policy the same in virtual time, if the world decides as we do
 * @param usage what all queues held of their nominal quota on average, in percent
 * @param calls requests of the bench's client
 * @param writes new revisions of the store, by any client
 */
record Report(
    Shape shape,
    World.Choice world,
    Duration wall,
    Optional<Duration> policy,
    List<ClassResult> classes,
    double usage,
    long calls,
    long writes,
    List<ServerUse> servers) {
  private static final double PERCENT = 100;

  Report {
    classes = List.copyOf(classes);
    servers = List.copyOf(servers);
  }

  /** Sums up the times of each workload. */
  static Report of(
      Shape shape,
      World.Choice world,
      Duration wall,
      Optional<Duration> policy,
      Collection<Life> lives,
      long calls,
      long writes,
      List<ServerUse> servers) {
    double held = 0;
    for (Life life : lives) {
      held += (double) life.arrival().kind().cpu() * life.reservedNanos();
    }
    double nominal = (double) Shape.NOMINAL_CPU * shape.queues() * wall.toNanos();
    List<ClassResult> classes =
        shape.classes().stream().map(kind -> ClassResult.of(kind, lives)).toList();
    return new Report(
        shape, world, wall, policy, classes, held * PERCENT / nominal, calls, writes, servers);
  }

  double admissionsPerSecond() {
    return shape.workloads() / seconds(wall);
  }

  /** The time of this run as a fraction of another one's. */
  double ratioTo(Report other) {
    return seconds(wall) / seconds(other.wall);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  String text() {
    var lines = new ArrayList<String>();
    lines.add(
        "%s, %s: %,d workloads in %,d queues"
            .formatted(shape.name(), world, shape.workloads(), shape.queues()));
    lines.add(
        "wall time        %8.1f s   lower bound %.1f s"
            .formatted(seconds(wall), seconds(shape.lowerBound())));
    policy.ifPresent(time ->
        lines.add(
            "in virtual time  %8.1f s   this run took %.3f of it"
                .formatted(seconds(time), seconds(wall) / seconds(time))));
    lines.add("admissions       %8.1f /s".formatted(admissionsPerSecond()));
    lines.add("usage of nominal %8.1f %%".formatted(usage));
    lines.add(
        "requests         %,8d     store writes %,d, %.1f a workload"
            .formatted(calls, writes, (double) writes / shape.workloads()));
    lines.add("time to admission    mean       p99   admitted again   last end");
    for (ClassResult each : classes) {
      lines.add(
          "  %-10s %9.2f s %7.2f s %16d %8.1f s"
              .formatted(
                  each.name(),
                  seconds(each.mean()),
                  seconds(each.p99()),
                  each.readmissions(),
                  seconds(each.lastEnd())));
    }
    for (ServerUse each : servers) {
      lines.add(each.text());
    }
    for (PeerFigure peer : shape.peers()) {
      lines.add(
          "%5d s  %s: this run took %.2f of it"
              .formatted(peer.seconds(), peer.source(), seconds(wall) / peer.seconds()));
    }
    return String.join(System.lineSeparator(), lines);
  }

  /** The same for programs. */
  Tree tree() {
    return Tree.of(
        "shape",
        shape.name(),
        "world",
        world.toString(),
        "workloads",
        shape.workloads(),
        "queues",
        shape.queues(),
        "wallMillis",
        wall.toMillis(),
        "virtualMillis",
        policy.map(Duration::toMillis).orElse(0L),
        "lowerBoundMillis",
        shape.lowerBound().toMillis(),
        "usagePercent",
        Math.round(usage),
        "requests",
        calls,
        "storeWrites",
        writes,
        "classes",
        classes.stream().map(Report::tree).toList(),
        "servers",
        servers.stream().map(Report::tree).toList());
  }

  private static Tree tree(ClassResult result) {
    return Tree.of(
        "name",
        result.name(),
        "workloads",
        result.workloads(),
        "meanMillisToAdmission",
        result.mean().toMillis(),
        "p99MillisToAdmission",
        result.p99().toMillis(),
        "readmissions",
        result.readmissions(),
        "lastEndMillis",
        result.lastEnd().toMillis());
  }

  private static Tree tree(ServerUse use) {
    return Tree.of(
        "name",
        use.name(),
        "cpuMillis",
        use.cpu().toMillis(),
        "peakKibibytes",
        use.peakKibibytes().orElse(0));
  }
}
