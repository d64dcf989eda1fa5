package dev.sluice.cli;

import dev.sluice.controllers.queueing.visibility.VisibilityApi;
import dev.sluice.controllers.queueing.visibility.WorkloadSummary;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.RealTime;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice explain}: the state of a workload, for people or for programs. */
@Command(
    name = "explain",
    description =
        "Say how a workload or a job stands: its position in the queue, what it lacks, and which"
            + " queues hold that.")
final class ExplainCommand implements Callable<Integer> {
  private static final ResourceKind QUEUE =
      new ResourceKind(
          VisibilityApi.GROUP,
          VisibilityApi.VERSION,
          Kinds.LOCAL_QUEUE.kind(),
          Kinds.LOCAL_QUEUE.plural(),
          true);

  private static final String NOT_SERVED =
      "no API service serves "
          + VisibilityApi.GROUP
          + " in this cluster. 'sluice manager' does, unless its log says why not or the gate"
          + " VisibilityOnDemand is off";

  /** What can be explained. */
  enum Kind {
    workload,
    job
  }

  /** How it is printed. */
  enum Output {
    text,
    yaml,
    json
  }

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "KIND", description = "One of: ${COMPLETION-CANDIDATES}.")
  private Kind kind;

  @Parameters(index = "1", paramLabel = "NAME", description = "Its name.")
  private String name;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      defaultValue = "default",
      description = "Where it lives. Default: default")
  private String namespace;

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
    Connection connection = kubeconfig.connection();
    try (var time = new RealTime();
        var cluster = new KubernetesCluster(connection, time, new SecureRandom())) {
      Explained explained = explain(cluster.uncached());
      print(explained);
      if (!explained.place().unknown().isEmpty()) {
        throw UserError.failure(explained.place().unknown());
      }
    } catch (ApiException refused) {
      throw KubeconfigOption.refusal(connection, refused);
    } catch (IllegalArgumentException unusable) {
      throw UserError.usage(String.valueOf(unusable.getMessage()));
    }
    return 0;
  }

  private Explained explain(UncachedObjects objects) {
    Workload workload = new Workload(kind == Kind.job ? ofJob(objects) : named(objects));
    Optional<LocalQueue> localQueue =
        workload.queueName().isEmpty()
            ? Optional.empty()
            : objects
                .get(Kinds.LOCAL_QUEUE.key(namespace, workload.queueName()))
                .map(LocalQueue::new);
    Optional<ClusterQueue> clusterQueue =
        localQueue
            .flatMap(queue -> objects.get(Kinds.CLUSTER_QUEUE.key(queue.clusterQueue())))
            .map(ClusterQueue::new);
    boolean waits = localQueue.isPresent() && !workload.reserved() && !workload.finished();
    Place place = waits ? place(objects, workload) : new Place(Optional.empty(), "");
    return new Explained(
        WorkloadSummary.of(workload, localQueue, clusterQueue, place.item()), place);
  }

  /**
   * The answer of the visibility API about a workload.
   *
   * @param unknown why there is no answer although there should be, and what helps; empty if
   *     nothing is missing
   */
  private record Place(Optional<Tree> item, String unknown) {}

  /** The summary of a workload, and the answer of the visibility API for it. */
  private record Explained(WorkloadSummary story, Place place) {
    Tree tree() {
      return place.item().map(found -> story.tree().with("pending", found)).orElseGet(story::tree);
    }
  }

  private ApiObject named(UncachedObjects objects) {
    return objects
        .get(Kinds.WORKLOAD.key(namespace, name))
        .orElseThrow(() ->
            UserError.failure(
                "there is no workload %s in namespace %s; 'kubectl get workloads -A' lists all"
                    .formatted(name, namespace)));
  }

  /** The newest workload of a job: an elastic job has several for a short time. */
  private ApiObject ofJob(UncachedObjects objects) {
    ApiObject job =
        objects
            .get(Kinds.JOB.key(namespace, name))
            .orElseThrow(() ->
                UserError.failure(
                    "there is no job %s in namespace %s; 'kubectl get jobs -A' lists all"
                        .formatted(name, namespace)));
    return objects
        .labelled(Kinds.WORKLOAD.key(namespace, ""), KueueNames.JOB_UID, job.uid())
        .stream()
        .filter(workload -> new Workload(workload).parent().isEmpty())
        .max(Comparator.comparing(workload -> workload.created().orElse(Instant.EPOCH)))
        .orElseThrow(() ->
            UserError.failure(
                "job %s has no workload: give it the label %s with the name of a LocalQueue"
                    .formatted(name, KueueNames.QUEUE_NAME)));
  }

  private Place place(UncachedObjects objects, Workload workload) {
    try {
      Tree waiting =
          objects.read(
              QUEUE.key(namespace, workload.queueName()),
              VisibilityApi.PENDING_WORKLOADS,
              "explain=true&workload=" + workload.object().name());
      Optional<Tree> item =
          waiting.trees("items").stream()
              .filter(one -> one.text("metadata", "name").equals(workload.object().name()))
              .findFirst();
      return new Place(item, "");
    } catch (ApiException refused) {
      return new Place(Optional.empty(), whatHelps(refused.failure()));
    }
  }

  private static String whatHelps(ApiFailure failure) {
    boolean queueGone = !failure.name().isEmpty();
    return switch (failure.reason()) {
      case NOT_FOUND -> queueGone ? "" : "its position is not known: " + NOT_SERVED;
      case SERVICE_UNAVAILABLE ->
          "its position is not known, because the API service of %s does not answer: %s; 'kubectl get apiservice %s.%s' says more"
              .formatted(
                  VisibilityApi.GROUP,
                  failure.message(),
                  VisibilityApi.VERSION,
                  VisibilityApi.GROUP);
      case FORBIDDEN ->
          "you may not see its position: %s; the ClusterRole kueue-pending-workloads-lq-viewer-role allows it"
              .formatted(failure.message());
      default -> throw failure.exception();
    };
  }

  private void print(Explained explained) {
    PrintWriter out = spec.commandLine().getOut();
    switch (output) {
      case text -> {
        out.println(explained.story().sentence());
        explained.story().details().forEach(line -> out.println("  " + line));
      }
      case yaml -> out.print(Yaml.write(explained.tree()));
      case json -> out.println(Json.writePretty(explained.tree()));
    }
    out.flush();
  }
}
