package dev.sluice.simulator;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.controllers.queueing.invariants.QueueInvariants;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.simulator.run.ScenarioRunner;
import dev.sluice.simulator.scenario.ScenarioStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A small world for scenarios about queues, with words for what people do and see in it: one
 * simulated node with room for all workloads, a flavor {@code f}, and controllers that keep
 * running. Every violated invariant fails the test that uses it.
 */
final class QueueScenario implements AutoCloseable {
  private static final String KUEUE = "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ";

  private final VirtualWorld world;
  private final Cluster cluster;
  private final ScenarioRunner stage;
  private final QueueCache book;
  private final QueueInvariants invariants;
  private final VirtualDriver driver;
  private final List<String> broken = new ArrayList<>();

  QueueScenario() {
    this(Configuration.DEFAULT);
  }

  QueueScenario(Configuration configuration) {
    this.world = new VirtualWorld(1, configuration);
    this.cluster = world.cluster();
    this.stage = new ScenarioRunner(world);
    this.book = new QueueCache(cluster, configuration);
    this.invariants = new QueueInvariants(cluster, configuration);
    this.driver =
        world.driver(
            cluster,
            ControllerSet.of(
                ControllerSet.checked(ControllerSet.SIMULATED),
                cluster,
                book,
                new BrokenPromises(),
                configuration));
    driver.start();
    create(
        """
        {apiVersion: v1, kind: Node, metadata: {name: n, annotations: {kwok.x-k8s.io/node: fake}},
         status: {capacity: {cpu: 900, pods: 5000}, allocatable: {cpu: 900, pods: 5000}}}
        """);
    create(KUEUE + "ResourceFlavor, metadata: {name: f}}");
  }

  private final class BrokenPromises implements DecisionLog {
    @Override
    public void decided(Instant at, AdmissionDecision decision) {}

    @Override
    public void broken(Instant at, String invariant) {
      broken.add(invariant);
    }
  }

  /** A world in which teams get fair shares. */
  static QueueScenario fair() {
    return new QueueScenario(
        ConfigurationFile.read(
                """
                apiVersion: config.kueue.x-k8s.io/v1beta2
                kind: Configuration
                fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]}
                """,
                new TreeMap<>())
            .configuration());
  }

  Cluster cluster() {
    return cluster;
  }

  void create(String yaml) {
    Yaml.parseAll(yaml).forEach(object -> world.create(ApiObject.of(object)));
  }

  /** Changes the fields of an object that the document has. */
  void update(String yaml) {
    stage.play(
        new ScenarioStep(
            Duration.ZERO, ScenarioStep.Deed.UPDATE, ApiObject.of(Yaml.parseAll(yaml).getFirst())));
  }

  void updateSpec(String kind, String name, String spec) {
    update(KUEUE + kind + ", metadata: {name: " + name + "}, spec: {" + spec + "}}");
  }

  void delete(String kind, String name) {
    String yaml = KUEUE + kind + ", metadata: {name: " + name + "}}";
    stage.play(
        new ScenarioStep(
            Duration.ZERO, ScenarioStep.Deed.DELETE, ApiObject.of(Yaml.parseAll(yaml).getFirst())));
  }

  /** A ClusterQueue with cpus of the flavor f, and a LocalQueue of the same name. */
  void queue(String name, String cpus, String more) {
    create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: %s}, spec: {
         namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f,
          resources: [{name: cpu, nominalQuota: %s}]}]}]%s}}
        """
            .formatted(name, cpus, more.isEmpty() ? "" : ", " + more));
    localQueue(name);
  }

  void localQueue(String name) {
    create(
        KUEUE + "LocalQueue, metadata: {name: " + name + "}, spec: {clusterQueue: " + name + "}}");
  }

  /** A Job of so many pods with one cpu each, which run for so many seconds. */
  void job(String name, String queue, int pods, int seconds) {
    job(name, queue, pods, seconds, "", "");
  }

  void job(String name, String queue, int pods, int seconds, String labels, String annotations) {
    create(
        """
        {apiVersion: batch/v1, kind: Job, metadata: {name: %s, annotations: {%s}, labels: {
          kueue.x-k8s.io/queue-name: %s, %s}},
         spec: {parallelism: %d, completions: %d, template: {
          metadata: {annotations: {sluice.dev/duration: %ds}}, spec: {restartPolicy: Never,
           terminationGracePeriodSeconds: 1,
           containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}}}
        """
            .formatted(name, annotations, queue, labels, pods, pods, seconds));
  }

  /** Lets some time pass, and checks the invariants. */
  void pass(int seconds) {
    var time = Duration.ofSeconds(seconds);
    cluster.time().after(time, () -> {});
    driver.runUntil(cluster.time().now().plus(time));
    if (!broken.isEmpty()) {
      throw new AssertionError("violated invariants: " + broken);
    }
  }

  /** How a job fares: Suspended, Running, Complete or Failed. */
  String state(String job) {
    ApiObject object = cluster.get(Kinds.JOB.key("default", job)).orElseThrow();
    JobStatus status = new Job(object).status();
    return Stream.of(JobStatus.COMPLETE, JobStatus.FAILED, JobStatus.SUSPENDED)
        .filter(status::holds)
        .findFirst()
        .orElse("Running");
  }

  /** The jobs that run now, by name. */
  List<String> running() {
    return cluster.list(Kinds.JOB).stream()
        .filter(job -> !new Job(job).isSuspended() && !new Job(job).isFinished())
        .map(ApiObject::name)
        .toList();
  }

  long podsOf(String job) {
    return new Job(cluster.get(Kinds.JOB.key("default", job)).orElseThrow()).status().active();
  }

  Workload workload(String job) {
    return cluster.list(Kinds.WORKLOAD).stream()
        .filter(one -> one.owners().stream().anyMatch(owner -> owner.name().equals(job)))
        .map(Workload::new)
        .findFirst()
        .orElseThrow();
  }

  /** Why a job waits. */
  String why(String job) {
    return workload(job).status().message(WorkloadStatus.QUOTA_RESERVED);
  }

  /** The condition Active of a ClusterQueue, as status and message. */
  String active(String queue) {
    Tree status = cluster.get(Kinds.CLUSTER_QUEUE.key(queue)).orElseThrow().status();
    return Condition.find(status, "Active")
        .map(one -> one.text("status") + ": " + one.text("message"))
        .orElse("");
  }

  /** The error of the API for an object that it rejects. */
  String refusal(String yaml) {
    try {
      create(yaml);
    } catch (ApiException refused) {
      return String.valueOf(refused.getMessage());
    }
    throw new AssertionError("was not refused: " + yaml);
  }

  /** Whether all invariants hold now, where nothing is about to happen. */
  List<String> breaches() {
    var found = new ArrayList<>(invariants.atAnyInstant());
    found.addAll(invariants.atRest());
    found.addAll(invariants.inMemory(book));
    return found;
  }

  Optional<ApiObject> flavor(String name) {
    return cluster.get(Kinds.RESOURCE_FLAVOR.key(name));
  }

  static String priority(String name) {
    return KueueNames.PRIORITY_CLASS + ": " + name;
  }

  @Override
  public void close() {
    driver.close();
    world.close();
  }
}
