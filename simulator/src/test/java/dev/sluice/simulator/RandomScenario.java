package dev.sluice.simulator;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.simulator.scenario.Scenario;
import dev.sluice.simulator.scenario.ScenarioStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A scenario drawn from a seed: a tree of cohorts and queues, jobs that all end soon, a few that
 * never fit, and people who change everything meanwhile, in several acts with peace between them.
 */
final class RandomScenario {
  static final int ACTS = 3;
  static final Duration ACT = Duration.ofSeconds(150);

  /** At the beginning of each act, when people are busy. */
  static final Duration TROUBLE = Duration.ofSeconds(60);

  private static final String KUEUE = "apiVersion: kueue.x-k8s.io/v1beta2, kind: ";
  private static final int QUEUES = 4;
  private static final int COHORTS = 3;

  private final SplittableRandom random;
  private final List<ScenarioStep> steps = new ArrayList<>();
  private int jobs;

  private RandomScenario(long seed) {
    this.random = new SplittableRandom(seed);
  }

  static Scenario draw(long seed) {
    var drawn = new RandomScenario(seed);
    drawn.start();
    for (int act = 0; act < ACTS; act++) {
      int events = 3 + drawn.random.nextInt(8);
      for (int i = 0; i < events; i++) {
        drawn.happen(ACT.multipliedBy(act).plus(drawn.moment()));
      }
    }
    return new Scenario(drawn.steps);
  }

  /** The same, but all queues that can have variants have some. */
  static Scenario withVariants(long seed) {
    var random = new SplittableRandom(seed);
    return new Scenario(
        draw(seed).steps().stream().map(step -> withVariants(step, random)).toList());
  }

  private static ScenarioStep withVariants(ScenarioStep step, SplittableRandom random) {
    ApiObject queue = step.object();
    boolean can =
        queue.isA(Kinds.CLUSTER_QUEUE)
            && step.deed() == ScenarioStep.Deed.CREATE
            && !queue.spec().trees("resourceGroups").isEmpty();
    if (!can) {
      return step;
    }
    Tree migration =
        switch (random.nextInt(4)) {
          case 0 -> Tree.of("mode", "RetainFirstAdmission");
          case 1 ->
              Tree.of("mode", "TryPreferredFlavors")
                  .with("constraints", Tree.of("lastAcceptableFlavorName", "f0"));
          default -> Tree.of("mode", "TryPreferredFlavors");
        };
    Tree spec =
        queue
            .spec()
            .with("queueingStrategy", "BestEffortFIFO")
            .with("concurrentAdmissionPolicy", Tree.of("migration", migration));
    return new ScenarioStep(step.at(), step.deed(), queue.withSpec(spec));
  }

  private Duration moment() {
    return Duration.ofMillis(1 + random.nextInt((int) TROUBLE.toMillis() / 2));
  }

  private void start() {
    create(
        """
        {apiVersion: v1, kind: Node, metadata: {name: n, annotations: {kwok.x-k8s.io/node: fake}},
         status: {capacity: {cpu: 900, pods: 5000}, allocatable: {cpu: 900, pods: 5000}}}
        """);
    create("{" + KUEUE + "ResourceFlavor, metadata: {name: f0}}");
    create("{" + KUEUE + "ResourceFlavor, metadata: {name: f1}}");
    create("{" + KUEUE + "WorkloadPriorityClass, metadata: {name: low}, value: -10}");
    create("{" + KUEUE + "WorkloadPriorityClass, metadata: {name: high}, value: 1000}");
    create("{" + KUEUE + "AdmissionCheck, metadata: {name: check}, spec: {controllerName: test}}");
    for (int i = 0; i < COHORTS; i++) {
      create(cohort(i, i == 0 ? "" : "c" + random.nextInt(i)));
    }
    for (int i = 0; i < QUEUES; i++) {
      create(queue(i));
      create(localQueue(i));
    }
    for (int i = random.nextInt(3); i < 6; i++) {
      create(job());
    }
  }

  private void create(String yaml) {
    add(Duration.ZERO, ScenarioStep.Deed.CREATE, yaml);
  }

  private void add(Duration at, ScenarioStep.Deed deed, String yaml) {
    steps.add(new ScenarioStep(at, deed, ApiObject.of(Yaml.parseAll(yaml).getFirst())));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String pick(String... words) {
    return words[random.nextInt(words.length)];
  }

  private String cohort(int number, String parent) {
    return "{%sCohort, metadata: {name: c%d}, spec: {%s%s}}"
        .formatted(
            KUEUE,
            number,
            parent.isEmpty() ? "" : "parentName: " + parent + ", ",
            chance(40) ? groups(!parent.isEmpty()) : "");
  }

  /** Quotas of one or two flavors; only a node with a parent may have limits. */
  private String groups(boolean limits) {
    String flavors =
        "{name: f0, resources: ["
            + quota(limits)
            + "]}"
            + (chance(40) ? ", {name: f1, resources: [" + quota(limits) + "]}" : "");
    return "resourceGroups: [{coveredResources: [cpu], flavors: [" + flavors + "]}]";
  }

  private String quota(boolean limits) {
    int nominal = random.nextInt(7);
    return "{name: cpu, nominalQuota: %d%s%s}"
        .formatted(
            nominal,
            limits && chance(30) ? ", borrowingLimit: " + random.nextInt(5) : "",
            limits && chance(30) ? ", lendingLimit: " + random.nextInt(nominal + 1) : "");
  }

  private String queue(int number) {
    boolean inCohort = chance(80);
    return """
    {%sClusterQueue, metadata: {name: q%d}, spec: {namespaceSelector: {}, queueingStrategy: %s,
     %s%s%s fairSharing: {weight: "%s"}, flavorFungibility: {whenCanBorrow: %s, whenCanPreempt: %s},
     preemption: {withinClusterQueue: %s, reclaimWithinCohort: %s}}}
    """
        .formatted(
            KUEUE,
            number,
            pick("BestEffortFIFO", "BestEffortFIFO", "StrictFIFO"),
            inCohort ? "cohortName: c" + random.nextInt(COHORTS) + ", " : "",
            chance(95) ? groups(inCohort) + ", " : "",
            chance(25) ? "admissionChecksStrategy: {admissionChecks: [{name: check}]}, " : "",
            pick("1", "2", "0", "0.5"),
            pick("MayStopSearch", "TryNextFlavor"),
            pick("MayStopSearch", "TryNextFlavor"),
            pick("Never", "LowerPriority", "LowerOrNewerEqualPriority"),
            pick("Never", "LowerPriority", "Any"));
  }

  private String localQueue(int number) {
    return "{%sLocalQueue, metadata: {name: l%d}, spec: {clusterQueue: q%d}}"
        .formatted(KUEUE, number, number);
  }

  private String job() {
    int parallelism = 1 + random.nextInt(4);
    int cpus = chance(5) ? 50 : 1 + random.nextInt(3);
    String least =
        chance(25) && parallelism > 1
            ? "kueue.x-k8s.io/job-min-parallelism: \"" + (1 + random.nextInt(parallelism - 1)) + '"'
            : "";
    String priority =
        chance(60) ? "" : ", kueue.x-k8s.io/priority-class: " + pick("low", "high", "high");
    return """
    {apiVersion: batch/v1, kind: Job, metadata: {name: j%d, annotations: {%s},
     labels: {kueue.x-k8s.io/queue-name: l%d%s}}, spec: {parallelism: %d, completions: %d,
     template: {metadata: {annotations: {sluice.dev/duration: %ds}}, spec: {restartPolicy: Never,
      containers: [{name: c, image: i, resources: {requests: {cpu: %d}}}]}}}}
    """
        .formatted(
            jobs++,
            least,
            random.nextInt(QUEUES + (chance(5) ? 1 : 0)),
            priority,
            parallelism,
            parallelism + random.nextInt(3),
            random.nextInt(40),
            cpus);
  }

  private String named(String kind, String name) {
    String version = kind.equals("Job") ? "apiVersion: batch/v1, kind: " : KUEUE;
    return "{" + version + kind + ", metadata: {name: " + name + "}}";
  }

  private String changed(String kind, String name, String spec) {
    return "{" + KUEUE + kind + ", metadata: {name: " + name + "}, spec: {" + spec + "}}";
  }

  private String workloadOf(int job, String spec) {
    return "{%sWorkload, metadata: {annotations: {sluice.dev/of: j%d}}, spec: {%s}}"
        .formatted(KUEUE, job, spec);
  }

  private void happen(Duration at) {
    int queue = random.nextInt(QUEUES);
    int cohort = random.nextInt(COHORTS);
    int job = random.nextInt(jobs);
    switch (random.nextInt(16)) {
      case 0 -> add(at, ScenarioStep.Deed.DELETE, named("Job", "j" + job));
      case 1 ->
          add(at, ScenarioStep.Deed.UPDATE, changed("ClusterQueue", "q" + queue, groups(false)));
      case 2 -> {
        String stop = "stopPolicy: " + pick("Hold", "HoldAndDrain", "None", "None");
        add(
            at,
            ScenarioStep.Deed.UPDATE,
            chance(50)
                ? changed("ClusterQueue", "q" + queue, stop)
                : changed("LocalQueue", "l" + queue, stop));
      }
      case 3 -> renew(at, "ClusterQueue", "q" + queue, queue(queue));
      case 4 ->
          renew(at, "ResourceFlavor", "f0", "{" + KUEUE + "ResourceFlavor, metadata: {name: f0}}");
      case 5 -> renew(at, "Cohort", "c" + cohort, cohort(cohort, "c" + random.nextInt(COHORTS)));
      case 6 ->
          add(
              at,
              ScenarioStep.Deed.UPDATE,
              changed("Cohort", "c" + cohort, "parentName: c" + random.nextInt(COHORTS)));
      case 7 -> {
        add(at, ScenarioStep.Deed.UPDATE, workloadOf(job, "active: false"));
        if (chance(50)) {
          add(at.plus(moment()), ScenarioStep.Deed.UPDATE, workloadOf(job, "active: true"));
        }
      }
      case 8 ->
          add(
              at,
              ScenarioStep.Deed.UPDATE,
              "{%sWorkloadPriorityClass, metadata: {name: high}, value: %d}"
                  .formatted(KUEUE, random.nextInt(2000) - 1000));
      case 9 ->
          add(
              at,
              ScenarioStep.Deed.DELETE,
              "{%sWorkload, metadata: {annotations: {sluice.dev/of: j%d}}}".formatted(KUEUE, job));
      case 10 ->
          add(
              at,
              ScenarioStep.Deed.UPDATE,
              changed("ClusterQueue", "q" + queue, "cohortName: c" + cohort));
      case 11 -> renew(at, "LocalQueue", "l" + queue, localQueue(queue));
      default -> add(at, ScenarioStep.Deed.CREATE, job());
    }
  }

  private void renew(Duration at, String kind, String name, String yaml) {
    add(at, ScenarioStep.Deed.DELETE, named(kind, name));
    add(at.plus(moment()), ScenarioStep.Deed.CREATE, yaml);
  }
}
