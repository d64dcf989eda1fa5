package dev.sluice.benchmarks.jobs;

import dev.sluice.benchmarks.world.ApiClient;
import dev.sluice.benchmarks.world.World;
import dev.sluice.cli.UserError;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice bench nodes}: the memory of a server with more and more running pods. */
@Command(
    name = "nodes",
    description =
        "Fill simulated nodes with pods that go on running, and measure the server's memory with 1,"
            + " 10 and 100 times as many.")
public final class NodesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "10000",
      description = "How many simulated nodes there are. Default: 10000")
  private long nodes;

  @Option(
      names = "--pods",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "How many pods there are in the end. Default: 1000000")
  private long pods;

  @Option(
      names = "--classes",
      paramLabel = "N",
      defaultValue = "0",
      description = "Also list the N classes whose objects take most, at every size.")
  private int classes;

  @Option(
      names = "--server-java-option",
      paramLabel = "OPTION",
      description =
          "An option for Sluice's own JVM, such as -Xmx7g; may be given more than once. By default a"
              + " JVM uses up to a quarter of the machine's memory.")
  private List<String> javaOptions = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    LargeJob.checkRoom(pods, nodes);
    if (classes < 0) {
      throw UserError.usage("--classes %d is none: it must be 0 or more".formatted(classes));
    }
    PrintWriter out = spec.commandLine().getOut();
    try (World world = World.Choice.EMBEDDED.start(LargeJob.server(javaOptions, nodes));
        var client = new ApiClient(world.kubeconfig())) {
      var run = new NodesRun(world, client);
      out.printf("%,d nodes, %,d MiB live%n", nodes, run.empty().bytes() >> 20);
      out.flush();
      for (long part : LargeJob.PARTS) {
        NodesRun.Result result = run.fillTo(pods / part);
        out.println(result.text());
        result.heap().classes().stream().limit(classes).forEach(out::println);
        out.flush();
      }
    }
    return 0;
  }
}
