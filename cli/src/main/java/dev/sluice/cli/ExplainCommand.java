package dev.sluice.cli;

import dev.sluice.controllers.configuration.file.Suggestion;
import dev.sluice.controllers.queueing.explain.Explained;
import dev.sluice.controllers.queueing.explain.WorkloadExplainer;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.RealTime;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice explain}: the state of a job or workload, for people or for programs. */
@Command(
    name = "explain",
    description =
        "Say how a job, workload or pod stands: why it has no Workload, its position in the queue,"
            + " what it lacks and which queues hold that, its pods, its evictions.")
final class ExplainCommand implements Callable<Integer> {
  /** How it is printed. */
  enum Output {
    text,
    yaml,
    json
  }

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..2",
      paramLabel = "KIND NAME",
      description =
          "What to explain: 'job NAME', 'workload NAME' or 'pod NAME', also as in kubectl: job/NAME.")
  private List<String> words = List.of();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "Where it lives. Default: default")
  private Optional<String> namespace = Optional.empty();

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "Explain all of that name, in whatever namespace they are.")
  private boolean allNamespaces;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "One of: ${COMPLETION-CANDIDATES}. Default: text")
  private Output output;

  @Mixin private final KubeconfigOption kubeconfig = new KubeconfigOption();
  @Mixin private final LogOptions log = new LogOptions();

  @Override
  public Integer call() {
    log.apply();
    ExplainedName name = ExplainedName.parse(words);
    if (allNamespaces && namespace.isPresent()) {
      throw UserError.usage("-A and --namespace exclude each other: give one of them");
    }
    Connection connection = kubeconfig.connection();
    try (var time = new RealTime();
        var cluster = new KubernetesCluster(connection, time, new SecureRandom())) {
      var reader = new UncachedReader(cluster.uncached());
      var explainer = new WorkloadExplainer(reader);
      for (ApiObject object : found(name, reader)) {
        Explained explained = explain(explainer, name.kind(), object);
        print(explained);
        if (!explained.unknown().isEmpty()) {
          throw UserError.failure(explained.unknown());
        }
      }
    } catch (ApiException refused) {
      throw KubeconfigOption.refusal(connection, refused);
    } catch (IllegalArgumentException unusable) {
      throw UserError.usage(String.valueOf(unusable.getMessage()));
    }
    return 0;
  }

  private static Explained explain(
      WorkloadExplainer explainer, ExplainedName.Kind kind, ApiObject object) {
    return switch (kind) {
      case JOB -> explainer.job(object);
      case WORKLOAD -> explainer.workload(object);
      case POD -> explainer.pod(object);
    };
  }

  /** The objects of the name: at least one, and more only with -A. */
  private List<ApiObject> found(ExplainedName name, UncachedReader reader) {
    ResourceKind kind = name.kind().resource();
    String where = namespace.orElse("default");
    if (allNamespaces) {
      List<ApiObject> all = reader.named(kind, name.name());
      return all.isEmpty() ? missing(name, reader, "") : all;
    }
    return reader
        .get(kind.key(where, name.name()))
        .map(List::of)
        .orElseGet(() -> missing(name, reader, where));
  }

  private static List<ApiObject> missing(ExplainedName name, UncachedReader reader, String where) {
    ResourceKind kind = name.kind().resource();
    String word = name.kind().word();
    List<ApiObject> others = reader.list(kind, where);
    String hint = Suggestion.of(name.name(), others.stream().map(ApiObject::name).toList());
    throw UserError.failure(
        "there is no %s %s in %s%s"
            .formatted(
                word,
                name.name(),
                where.isEmpty() ? "any namespace" : "namespace " + where,
                hint.isEmpty()
                    ? "; 'kubectl get %s -A' lists all".formatted(kind.plural())
                    : hint));
  }

  private void print(Explained explained) {
    PrintWriter out = spec.commandLine().getOut();
    switch (output) {
      case text -> {
        out.println(explained.summary().sentence());
        explained.summary().details().forEach(line -> out.println("  " + line));
      }
      case yaml -> out.print("---\n".repeat(allNamespaces ? 1 : 0) + Yaml.write(explained.tree()));
      case json -> out.println(Json.writePretty(explained.tree()));
    }
    out.flush();
  }
}
