package dev.sluice.benchmarks;

import dev.sluice.cli.UserError;
import dev.sluice.conformance.KubernetesBinaries;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice bench scheduler}: the pods a second of the scheduler, and of kube-scheduler. */
@Command(
    name = "scheduler",
    description =
        "Measure how many pods a second the scheduler finds nodes for, with 1, 10 and 100 times as"
            + " many pending, and how kube-scheduler compares on a real kube-apiserver.")
final class SchedulerCommand implements Callable<Integer> {
  private static final int LEAST_PODS = 1000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "5000",
      description = "How many nodes there are, of 32 cpus each. Default: 5000")
  private int nodes;

  @Option(
      names = "--pods",
      paramLabel = "N",
      defaultValue = "100000",
      description = "How many pods are pending in the largest run, of a cpu each. Default: 100000")
  private int pods;

  @Option(
      names = "--peer-pods",
      paramLabel = "N",
      defaultValue = "5000",
      description =
          "How many pods kube-scheduler and ours bind on a real kube-apiserver; 0 leaves that"
              + " out. Default: 5000")
  private int peerPods;

  @Override
  public Integer call() {
    if (nodes < 1 || pods < 1) {
      throw UserError.usage(
          "--pods %d on --nodes %d: there must be one of each at least".formatted(pods, nodes));
    }
    if (peerPods < 0) {
      throw UserError.usage(
          "--peer-pods %d: give a number of pods, or 0 for no comparison".formatted(peerPods));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%,d nodes%n%-12s %22s %22s%n", nodes, "pods", "decisions/s", "bindings/s");
    // The first run also warms up the machine; it is not counted.
    new SchedulerRun(nodes, Math.min(pods, LEAST_PODS)).decisions();
    new SchedulerRun(nodes, Math.min(pods, LEAST_PODS)).bindings();
    for (int factor = 100; factor >= 1; factor /= 10) {
      var run = new SchedulerRun(nodes, Math.max(1, pods / factor));
      out.printf(
          "%-,12d %22s %22s%n", run.pods(), rate(run, run::decisions), rate(run, run::bindings));
      out.flush();
    }
    out.println(
        "Decisions go from a pod's object to the name of its node; bindings are the whole"
            + " controller, with its writes to a store in memory.");
    out.flush();
    if (peerPods > 0) {
      compare(out);
    }
    return 0;
  }

  private void compare(PrintWriter out) {
    Optional<Path> binaries = KubernetesBinaries.find();
    if (binaries.isEmpty()) {
      out.println("Not compared with kube-scheduler: " + KubernetesBinaries.ADVICE);
      out.flush();
      return;
    }
    var peers = new SchedulerPeers(binaries.get(), new SchedulerRun(nodes, peerPods));
    out.printf("%n%,d pods on %,d nodes of a kube-apiserver%n", peerPods, nodes);
    SchedulerPeers.Result theirs = peers.kubeScheduler();
    out.println(theirs.text());
    out.flush();
    SchedulerPeers.Result ours = peers.ours();
    out.printf("%s, %.2f times theirs%n", ours.text(), ours.rate() / theirs.rate());
    out.println(
        "From the first binding that a watch shows to the last; cpu is that of the scheduler with"
            + " its start.");
    out.flush();
  }

  private static String rate(SchedulerRun run, Supplier<Duration> measured) {
    Duration took = measured.get();
    return "%,.0f".formatted(run.pods() / (took.toNanos() / 1e9));
  }
}
