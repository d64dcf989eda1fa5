package dev.sluice.engine.admission.reference;

import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.admission.QueueSketch;
import dev.sluice.engine.admission.RandomQueues;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.preemption.PreemptionRules.Strategy;
import dev.sluice.engine.preemption.PreemptionSearch;
import dev.sluice.engine.queue.FlavorSpec;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.Precedence;
import dev.sluice.engine.queue.QueueNames;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.queue.WorkloadIdentity;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Amounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The same random queues, flavors and reservations twice: as the engine keeps them, and as the
 * plain rules of docs/specification read them. Half of the worlds share quota fairly.
 */
final class ReferenceWorld {
  private final SplittableRandom random;
  private final RandomQueues sketches;
  private final List<QuotaSpec> cohorts;
  final PreemptionRules rules;
  final List<QueueSpec> queues;
  final QuotaLedger ledger = new QuotaLedger();
  final PreemptionSearch preemption;
  final ReferenceQuota quota;
  final ReferencePreemption reference;
  final Set<String> preemptors = new TreeSet<>();

  ReferenceWorld(SplittableRandom random) {
    this(random, Integer.MAX_VALUE, PreemptionRules.REGARDLESS_OF_USAGE);
  }

  /**
   * @param mostQueues how many queues there are at most
   * @param byUsage orders LocalQueues by what they used before
   */
  ReferenceWorld(SplittableRandom random, int mostQueues, Comparator<String> byUsage) {
    this.random = random;
    List<String> flavors = random.nextBoolean() ? RandomQueues.FLAVORS : List.of("f", "g", "h");
    RandomQueues plain = new RandomQueues(random, flavors);
    this.sketches = random.nextInt(3) == 0 ? plain.inGroups() : plain;
    ReferenceQuotaTest.Trees trees = ReferenceQuotaTest.Trees.random(sketches).first(mostQueues);
    this.queues = trees.queues().stream().map(QueueSketch::spec).toList();
    this.cohorts = trees.cohorts().stream().map(QueueSketch::quotaSpec).toList();
    ledger.define(queues, cohorts, flavors(queues));
    this.rules = rules(random, byUsage);
    this.preemption = new PreemptionSearch(ledger, rules);
    this.quota = trees.reference();
    this.reference = new ReferencePreemption(quota, rules, queues);
    int running = 4 + random.nextInt(12);
    for (int i = 0; i < running; i++) {
      hold(reservation("held" + i));
    }
  }

  private static List<FlavorSpec> flavors(List<QueueSpec> queues) {
    return queues.stream()
        .flatMap(queue -> queue.groups().stream())
        .flatMap(group -> group.flavors().stream())
        .map(flavor -> AdmissionScene.plain(flavor.name()))
        .distinct()
        .toList();
  }

  private static PreemptionRules rules(SplittableRandom random, Comparator<String> byUsage) {
    List<Strategy> strategies =
        switch (random.nextInt(6)) {
          case 0 -> List.of(Strategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE);
          case 1 -> List.of(Strategy.LESS_THAN_INITIAL_SHARE);
          case 2 -> List.of(Strategy.values());
          default -> List.of();
        };
    return new PreemptionRules(strategies, random.nextBoolean(), Duration.ZERO, byUsage);
  }

  /** The whole engine, with the same queues and reservations. */
  AdmissionQueues engine() {
    return engine(true);
  }

  AdmissionQueues engine(boolean prechecks) {
    AdmissionRules admission = AdmissionScene.with(rules, false);
    AdmissionQueues engine =
        prechecks ? new AdmissionQueues(admission) : AdmissionQueues.withoutPrechecks(admission);
    engine.namespacesChanged(new TreeMap<>(Map.of("team", new TreeMap<>())));
    engine.queuesChanged(queues, cohorts, flavors(queues));
    ledger.reservations().forEach(engine::quotaReserved);
    return engine;
  }

  private void hold(QuotaReservation reservation) {
    ledger.hold(reservation);
    reference.hold(reservation);
  }

  /** A workload with quota of one flavor, now and then of two, often more than its queue has. */
  private QuotaReservation reservation(String name) {
    return new QuotaReservation(
        new WorkloadIdentity("team", name, name),
        "",
        new QueueNames(localQueue(), queue().name()),
        new Precedence(random.nextInt(4), Instant.ofEpochSecond(random.nextInt(20))),
        Instant.ofEpochSecond(random.nextInt(20)),
        usage(),
        QuotaReservation.State.of(true, random.nextInt(8) == 0),
        Optional.empty());
  }

  private String localQueue() {
    boolean counts = !rules.byUsage().equals(PreemptionRules.REGARDLESS_OF_USAGE);
    return counts ? "lq" + random.nextInt(4) : "lq";
  }

  QueueSpec queue() {
    return queues.get(random.nextInt(queues.size()));
  }

  /** Amounts of one or two resources, mostly of the same flavor. */
  Usage usage() {
    String flavor = sketches.flavor();
    var amounts = new TreeMap<FlavorResource, Long>();
    for (String resource : RandomQueues.RESOURCES) {
      if (random.nextInt(4) > 0) {
        String chosen = random.nextInt(4) == 0 ? sketches.flavor() : flavor;
        amounts.put(
            new FlavorResource(sketches.flavor(chosen, resource), resource),
            1L + random.nextInt(5));
      }
    }
    return new Usage(amounts);
  }

  /** A workload of one pod set that may start with fewer pods. */
  PendingWorkload shrinkable(QueueSpec queue) {
    return shrinkable("new", queue);
  }

  /** A workload that may be able to start with fewer pods. */
  PendingWorkload head(String name, QueueSpec queue) {
    return random.nextInt(3) == 0 ? shrinkable(name, queue) : workload(name, queue);
  }

  private PendingWorkload shrinkable(String name, QueueSpec queue) {
    int count = 2 + random.nextInt(8);
    Amounts each = Amounts.of("gpu", 1).plus(Amounts.of("disk", random.nextInt(2)));
    int least = 1 + random.nextInt(count);
    return Job.empty(name, queue.name())
        .priority(random.nextInt(4))
        .since(random.nextInt(20))
        .with(new PodSetRequest("main", count, least, each, Job.ANY_NODE, ""))
        .pending();
  }

  /** A workload of one or two pod sets; now and then it asks for what no queue has. */
  PendingWorkload workload(QueueSpec queue) {
    return workload("new", queue);
  }

  private PendingWorkload workload(String name, QueueSpec queue) {
    Job job = Job.empty(name, queue.name()).priority(random.nextInt(4)).since(random.nextInt(20));
    for (int podSet = 0; podSet <= random.nextInt(2); podSet++) {
      Amounts each = Amounts.of("gpu", random.nextInt(5));
      each = random.nextInt(3) > 0 ? each.plus(Amounts.of("disk", random.nextInt(4))) : each;
      each = random.nextInt(9) == 0 ? each.plus(Amounts.of("tape", random.nextInt(2))) : each;
      job = job.pods("set" + podSet, 1 + random.nextInt(2), each);
    }
    return job.pending();
  }
}
