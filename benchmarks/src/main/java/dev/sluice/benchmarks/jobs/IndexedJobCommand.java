package dev.sluice.benchmarks.jobs;

import dev.sluice.benchmarks.world.ServerUse;
import dev.sluice.benchmarks.world.World;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice bench indexed-job}: one large Job, from its creation to its end. */
@Command(
    name = "indexed-job",
    description = "Run one Indexed Job on simulated nodes, with 1, 10 and 100 times as many pods.")
public final class IndexedJobCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--pods",
      paramLabel = "N",
      defaultValue = "100000",
      description = "The pods of the largest Job, all at once. Default: 100000")
  private long pods;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "1000",
      description = "The simulated nodes that they run on. Default: 1000")
  private long nodes;

  @Option(
      names = "--only",
      description = "Only the largest Job, without those of a hundredth and a tenth.")
  private boolean only;

  @Option(
      names = "--server-java-option",
      paramLabel = "OPTION",
      description = "An option for Sluice's own JVM; may be given more than once.")
  private List<String> javaOptions = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    LargeJob.checkRoom(pods, nodes);
    PrintWriter out = spec.commandLine().getOut();
    out.printf("One Indexed Job on %,d nodes, created, scheduled, run and completed%n", nodes);
    for (long size : sizes()) {
      IndexedJobRun.Result result = play(size);
      out.println(result.text());
      out.flush();
    }
    return 0;
  }

  private List<Long> sizes() {
    return LargeJob.PARTS.stream()
        .map(part -> pods / part)
        .filter(size -> !only || size == pods)
        .toList();
  }

  /** Runs one size, on a control plane of its own. */
  private IndexedJobRun.Result play(long size) throws InterruptedException {
    try (World world = World.Choice.EMBEDDED.start(LargeJob.server(javaOptions, nodes))) {
      ServerUse before = world.use().getFirst();
      return new IndexedJobRun(world, size).play(before);
    }
  }
}
