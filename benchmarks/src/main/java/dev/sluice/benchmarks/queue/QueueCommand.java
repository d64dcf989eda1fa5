package dev.sluice.benchmarks.queue;

import dev.sluice.benchmarks.world.ApiClient;
import dev.sluice.benchmarks.world.FailedBenchmark;
import dev.sluice.benchmarks.world.ServerUse;
import dev.sluice.benchmarks.world.SluiceServer;
import dev.sluice.benchmarks.world.World;
import dev.sluice.cli.UserError;
import dev.sluice.model.tree.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice bench queue}: runs Kueue's performance tests against a whole control plane. */
@Command(
    name = "queue",
    description = "Run one of Kueue's performance tests against a whole control plane.")
public final class QueueCommand implements Callable<Integer> {
  private static final List<Shape> SHAPES = List.of(Shape.BASELINE, Shape.LARGE_SCALE);

  @Spec private CommandSpec spec;

  @Option(
      names = "--shape",
      paramLabel = "NAME",
      defaultValue = "baseline",
      description = "baseline or large-scale. Default: baseline")
  private String shape;

  @Option(
      names = "--world",
      paramLabel = "NAME",
      defaultValue = "embedded",
      description =
          "embedded: 'sluice up'; kubernetes: kube-apiserver, etcd and 'sluice manager'; kueue: the"
              + " same with Kueue instead. Default: embedded")
  private World.Choice world;

  @Option(
      names = "--beside-kueue",
      description =
          "Then run the same against Kueue on kube-apiserver, as its own tests run it, and"
              + " compare. dev/kueue installs it.")
  private boolean besideKueue;

  @Option(
      names = "--scale",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description = "Multiply the workloads of each queue, for a shorter run. Default: 1")
  private double scale;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Give up after that long. Default: as Kueue's test of that shape")
  private Optional<Integer> timeout = Optional.empty();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the report, with what the servers used, as JSON.")
  private Optional<Path> json = Optional.empty();

  @Option(
      names = "--server-java-option",
      paramLabel = "OPTION",
      description =
          "An option for Sluice's own JVM, such as -XX:StartFlightRecording=filename=up.jfr; may be"
              + " given more than once.")
  private List<String> javaOptions = new ArrayList<>();

  @Option(
      names = "--server-option",
      paramLabel = "OPTION",
      description =
          "An option for 'sluice up' or 'sluice manager', such as --no-webhooks; may be given more"
              + " than once.")
  private List<String> serverOptions = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    checkChoice();
    Report report = measure(wanted(), world);
    print(report.text());
    if (besideKueue) {
      Report peer = measure(wanted(), World.Choice.KUEUE);
      print(peer.text());
      print(
          "%s took %.2f of the time that Kueue took here"
              .formatted(report.world(), report.ratioTo(peer)));
    }
    json.ifPresent(file -> write(file, report));
    return 0;
  }

  private static void write(Path file, Report report) {
    try {
      Files.writeString(file, Json.writePretty(report.tree()));
    } catch (IOException unwritable) {
      throw new FailedBenchmark(
          "--json %s cannot be written: %s; name another file".formatted(file, unwritable));
    }
  }

  private void checkChoice() {
    if (world == World.Choice.KUEUE && besideKueue) {
      throw UserError.usage("--beside-kueue compares with Kueue: choose another --world");
    }
    if (world == World.Choice.KUEUE && !(javaOptions.isEmpty() && serverOptions.isEmpty())) {
      throw UserError.usage(
          "--server-option and --server-java-option are for Sluice, and --world kueue has none");
    }
    world.requireInstalled();
    if (besideKueue) {
      World.Choice.KUEUE.requireInstalled();
    }
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(text);
    out.flush();
  }

  private Shape wanted() {
    if (!(scale > 0)) {
      throw UserError.usage("--scale %s is none: it must be above 0".formatted(scale));
    }
    if (timeout.isPresent() && timeout.get() < 1) {
      throw UserError.usage(
          "--timeout %d is none: it must be a second at least".formatted(timeout.get()));
    }
    Shape full =
        SHAPES.stream()
            .filter(known -> known.name().equals(shape))
            .findFirst()
            .orElseThrow(() ->
                UserError.usage(
                    "--shape %s is not known; there are %s"
                        .formatted(shape, SHAPES.stream().map(Shape::name).toList())));
    Shape scaled = full.scaled(scale);
    return timeout.map(Duration::ofSeconds).map(scaled::within).orElse(scaled);
  }

  private Report measure(Shape load, World.Choice place) throws InterruptedException {
    try (World started = place.start(new SluiceServer.Options(javaOptions, serverOptions));
        var client = new ApiClient(started.kubeconfig())) {
      var setup = new Setup(client);
      String revision = setup.prepare(load);
      List<ServerUse> before = use(started);
      long calls = client.calls();

      var run = new LoadRun(client, load);
      Duration wall = run.play(revision);

      List<ServerUse> after = use(started);
      long writes = Long.parseLong(setup.revision()) - Long.parseLong(revision);
      return Report.of(
          load,
          place,
          wall,
          place.isSluice() ? Optional.of(VirtualRun.play(load)) : Optional.empty(),
          run.lives(),
          client.calls() - calls,
          writes,
          IntStream.range(0, after.size())
              .mapToObj(each -> after.get(each).since(before.get(each)))
              .toList());
    }
  }

  /** The servers, and this process, which takes its share of the same machine. */
  private static List<ServerUse> use(World started) {
    var uses = new ArrayList<>(started.use());
    uses.add(ServerUse.of("bench client", ProcessHandle.current()));
    return uses;
  }
}
