package dev.sluice.cli;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.QueueMapping;
import dev.sluice.controllers.configuration.QueueMappingFile;
import dev.sluice.controllers.queueing.importing.ImportReport;
import dev.sluice.controllers.queueing.importing.ImportTerms;
import dev.sluice.controllers.queueing.importing.PodImport;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.RequestRate;
import dev.sluice.model.ApiException;
import dev.sluice.model.Plural;
import dev.sluice.runtime.RealTime;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice import}: Kueue's importer, with its options. */
@Command(
    name = "import",
    description =
        "Bring pods that run already into queues, without stopping them. Checks all pods first, and"
            + " imports them only with --dry-run=false and if nothing is wrong. No manager may queue"
            + " pods meanwhile.")
final class ImportCommand implements Callable<Integer> {
  private static final int MAX_WORKERS = 64;
  private static final BigDecimal SLOWEST = new BigDecimal("0.01");
  private static final BigDecimal FASTEST = new BigDecimal("100000");

  @Spec private CommandSpec spec;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME,...",
      split = ",",
      required = true,
      description = "The namespace of the pods. Give it once or several times.")
  private List<String> namespaces = List.of();

  @Option(
      names = "--queuelabel",
      paramLabel = "LABEL",
      description = "The label of pods by whose value --queuemapping names their LocalQueue.")
  private Optional<String> queueLabel = Optional.empty();

  @Option(
      names = "--queuemapping",
      paramLabel = "VALUE=QUEUE,...",
      split = ",",
      description = "The LocalQueue for every value of that label.")
  private List<String> queueMapping = List.of();

  @Option(
      names = "--queuemapping-file",
      paramLabel = "FILE",
      description =
          "Rules instead, as a YAML list: match (priorityClassName, labels), and toLocalQueue or"
              + " skip: true. The first that matches a pod holds.")
  private Optional<Path> mappingFile = Optional.empty();

  @Option(
      names = "--dry-run",
      paramLabel = "BOOL",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      description = "Only check. Default: true")
  private boolean dryRun;

  @Option(
      names = "--add-labels",
      paramLabel = "NAME=VALUE,...",
      split = ",",
      description = "Labels to add to imported pods and their Workloads.")
  private List<String> addLabels = List.of();

  @Option(
      names = "--exclude-resource-prefixes",
      paramLabel = "PREFIX,...",
      split = ",",
      description =
          "Resources that are not counted, as in excludeResourcePrefixes of the manager's file.")
  private List<String> excludedPrefixes = List.of();

  @Option(
      names = {"-c", "--concurrent-workers"},
      paramLabel = "N",
      defaultValue = "8",
      description = "How many pods are imported at the same time. Default: 8")
  private int workers;

  @Option(
      names = "--qps",
      paramLabel = "N",
      defaultValue = "50",
      description = "How many writes a second the API server gets. Default: 50")
  private BigDecimal queriesPerSecond = BigDecimal.ZERO;

  @Option(
      names = "--burst",
      paramLabel = "N",
      defaultValue = "50",
      description = "How many writes may come at once after an idle time. Default: 50")
  private int burst;

  @Mixin private final KubeconfigOption kubeconfig = new KubeconfigOption();
  @Mixin private final LogOptions log = new LogOptions();

  @Override
  public Integer call() {
    log.apply();
    ImportTerms terms = terms();
    requireRange("--burst", BigDecimal.valueOf(burst), BigDecimal.ONE, FASTEST);
    requireRange("--qps", queriesPerSecond, SLOWEST, FASTEST);
    Connection connection =
        kubeconfig.connection().limited(new RequestRate(queriesPerSecond, burst));
    try (var time = new RealTime();
        var cluster = new KubernetesCluster(connection, time, new SecureRandom())) {
      var podImport = new PodImport(cluster, terms);
      check(podImport.check());
      if (!dryRun) {
        imported(podImport.run());
      }
    } catch (ApiException refused) {
      throw KubeconfigOption.refusal(connection, refused);
    } catch (IllegalArgumentException unusable) {
      throw UserError.usage(String.valueOf(unusable.getMessage()));
    }
    return 0;
  }

  private ImportTerms terms() {
    QueueMapping mapping = mapping();
    requireRange(
        "--concurrent-workers",
        BigDecimal.valueOf(workers),
        BigDecimal.ONE,
        BigDecimal.valueOf(MAX_WORKERS));
    return Flag.read(
        "--add-labels",
        () ->
            new ImportTerms(
                namespaces,
                mapping,
                Flag.pairs(addLabels),
                Configuration.DEFAULT.excluding(excludedPrefixes),
                workers));
  }

  private QueueMapping mapping() {
    if (queueLabel.isPresent() == mappingFile.isPresent()) {
      throw UserError.usage("give either --queuelabel with --queuemapping, or --queuemapping-file");
    }
    if (queueLabel.isPresent() == queueMapping.isEmpty()) {
      throw UserError.usage("--queuelabel and --queuemapping have an effect only together");
    }
    return mappingFile
        .map(file -> TextFile.configuration(file, QueueMappingFile::read))
        .orElseGet(() ->
            Flag.read(
                "--queuemapping",
                () -> QueueMapping.byLabel(queueLabel.orElseThrow(), Flag.pairs(queueMapping))));
  }

  private static void requireRange(
      String flag, BigDecimal value, BigDecimal least, BigDecimal most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw UserError.usage(
          "%s %s is none: it must be from %s to %s"
              .formatted(flag, value.toPlainString(), least, most));
    }
  }

  private void check(ImportReport report) {
    say(
        "Checked %s: %d to import, %d imported before, %d skipped, %d with problems."
            .formatted(
                Plural.of(report.pods(), "pod"),
                report.ready(),
                report.before(),
                report.skipped(),
                report.refused()));
    report.lines().forEach(line -> say("  " + line));
    if (report.refused() > 0) {
      throw UserError.failure("nothing was imported: mend the problems above first");
    }
    if (dryRun) {
      say("Nothing was changed: --dry-run=false imports them.");
    }
  }

  private void imported(ImportReport report) {
    say(
        "Imported %s: %d imported before, %d skipped, %d with problems."
            .formatted(
                Plural.of(report.written(), "pod"),
                report.before(),
                report.skipped(),
                report.refused()));
    report.lines().forEach(line -> say("  " + line));
    if (report.refused() > 0) {
      throw UserError.failure(
          "not all pods were imported: mend the problems above and import again, which goes on"
              + " where this ended");
    }
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
