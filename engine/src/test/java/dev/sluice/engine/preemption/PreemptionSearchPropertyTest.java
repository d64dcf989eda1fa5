package dev.sluice.engine.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.preemption.PreemptionRules.Strategy;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.Precedence;
import dev.sluice.engine.queue.QueueNames;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.queue.WorkloadIdentity;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.engine.quota.Share;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Quantity;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random reservations in random trees: whoever must give way really must, and may. */
class PreemptionSearchPropertyTest {
  private static final FlavorResource GPU = new FlavorResource("f", "gpu");

  static LongStream seeds() {
    return Seeds.first(300);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void victimsAreAllowedAndNecessaryAndTheTreeIsAsBefore(long seed) {
    var random = new SplittableRandom(seed);
    QuotaLedger ledger = ledger(random);
    PendingWorkload workload = workload(random);
    QuotaNode node = ledger.tree().queue("q0").orElseThrow();
    Usage request = usage(1 + random.nextInt(6));
    List<String> before = numbers(ledger);
    if (node.fits(request)) {
      return;
    }

    var search = new PreemptionSearch(ledger, rules(random));
    List<Target> targets = search.targets(workload, request, Set.of(GPU));

    assertThat(numbers(ledger)).isEqualTo(before);
    assertThat(search.targets(workload, request, Set.of(GPU))).isEqualTo(targets);
    targets.forEach(target -> mayGo(target.victim(), workload, ledger));
    if (!targets.isEmpty()) {
      targets.forEach(target -> remove(ledger, target.victim()));
      assertThat(node.fits(request)).isTrue();
      boolean borrows = node.borrowsWith(GPU, request.get(GPU));
      for (Target target : targets) {
        add(ledger, target.victim());
        boolean enough =
            node.fits(request) && (borrows || !node.borrowsWith(GPU, request.get(GPU)));
        assertThat(enough).as("%s need not go", target).isFalse();
        remove(ledger, target.victim());
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void workloadGetsNoMoreThanTheUpperBound(long seed) {
    var random = new SplittableRandom(seed);
    QuotaLedger ledger = ledger(random);
    PendingWorkload workload = workload(random);
    PreemptionRules rules = rules(random);
    QuotaNode node = ledger.tree().queue("q0").orElseThrow();
    UpperBound bound = UpperBound.of(node, ledger.queue("q0").orElseThrow(), rules.fair());
    long most = bound.most(node.cell(GPU), workload.priority());

    for (long amount = 1; amount < 20; amount++) {
      var search = new PreemptionContext(ledger, rules, workload, usage(amount), Set.of(GPU));
      List<Target> targets =
          rules.fair()
              ? new FairPreemption(search, rules).targets()
              : new ClassicalPreemption(search, new Borrowers(ledger)).targets();
      if (node.fits(usage(amount)) || !targets.isEmpty()) {
        assertThat(amount).as("by %s", targets).isLessThanOrEqualTo(most);
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void candidatesThatAreMergedAreThoseThatAreSorted(long seed) {
    var random = new SplittableRandom(seed);
    QuotaLedger ledger = ledger(random);
    PendingWorkload workload = workload(random);
    Usage request = usage(1 + random.nextInt(6));
    PreemptionRules merged = PreemptionRules.CLASSICAL;
    var sorted =
        new PreemptionRules(
            merged.strategies(), merged.withinNominal(), merged.newerBy(), (_, _) -> 0);

    assertThat(new PreemptionSearch(ledger, merged).targets(workload, request, Set.of(GPU)))
        .isEqualTo(new PreemptionSearch(ledger, sorted).targets(workload, request, Set.of(GPU)));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void searchesThatShareCandidatesFindWhatEachFindsAlone(long seed) {
    var random = new SplittableRandom(seed);
    QuotaLedger ledger = ledger(random);
    PreemptionRules rules = random.nextInt(3) == 0 ? rules(random) : PreemptionRules.CLASSICAL;
    var shared = new PreemptionSearch(ledger, rules);

    for (int i = 0; i < 10; i++) {
      PendingWorkload workload = workload(random, "q" + i % 5);
      Usage request = usage(1 + random.nextInt(6));
      assertThat(shared.targets(workload, request, Set.of(GPU)))
          .isEqualTo(new PreemptionSearch(ledger, rules).targets(workload, request, Set.of(GPU)));
      if (random.nextInt(3) == 0) {
        ledger.release("team/r" + random.nextInt(12));
      }
    }
  }

  private static void mayGo(QuotaReservation victim, PendingWorkload workload, QuotaLedger ledger) {
    QueueSpec.Preemption policy = ledger.queue("q0").orElseThrow().preemption();
    PreemptionPolicy rule =
        victim.clusterQueue().equals("q0") ? policy.withinQueue() : policy.withinCohort();
    boolean may =
        switch (rule) {
          case NEVER -> false;
          case ANY -> true;
          case LOWER_PRIORITY -> victim.priority() < workload.priority();
          case LOWER_OR_NEWER_EQUAL_PRIORITY ->
              victim.priority() < workload.priority()
                  || (victim.priority() == workload.priority()
                      && workload.since().isBefore(victim.precedence().since()));
        };
    assertThat(may).as("%s by %s", victim, rule).isTrue();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void sharesHaveATotalOrder(long seed) {
    var random = new SplittableRandom(seed);
    QuotaLedger ledger = ledger(random);
    var shares = new ArrayList<Share>();
    ledger.tree().queues().forEach(node -> shares.add(node.share()));
    ledger.tree().cohorts().forEach(node -> shares.add(node.share()));

    for (Share a : shares) {
      for (Share b : shares) {
        assertThat(Integer.signum(a.compareTo(b))).isEqualTo(-Integer.signum(b.compareTo(a)));
        if (a.compareTo(b) < 0 && !b.infinite()) {
          assertThat(a.rounded()).isLessThanOrEqualTo(b.rounded());
        }
        for (Share c : shares) {
          if (a.compareTo(b) <= 0 && b.compareTo(c) <= 0) {
            assertThat(a.compareTo(c)).isLessThanOrEqualTo(0);
          }
        }
      }
    }
  }

  private static PreemptionRules rules(SplittableRandom random) {
    List<Strategy> strategies =
        switch (random.nextInt(4)) {
          case 0 -> List.of(Strategy.LESS_THAN_INITIAL_SHARE);
          case 1 -> List.of(Strategy.values());
          default -> List.of();
        };
    return new PreemptionRules(strategies, random.nextBoolean(), Duration.ZERO, (_, _) -> 0);
  }

  private static QuotaLedger ledger(SplittableRandom random) {
    var ledger = new QuotaLedger();
    var queues = new ArrayList<QueueSpec>();
    for (int i = 0; i < 5; i++) {
      queues.add(queue(random, "q" + i));
    }
    List<QuotaSpec> cohorts =
        List.of(spec(random, "c0", "c2"), spec(random, "c1", "c2"), spec(random, "c2", "root"));
    ledger.define(queues, cohorts, List.of());
    for (int i = 0; i < 12; i++) {
      ledger.hold(reservation(random, "r" + i));
    }
    return ledger;
  }

  private static QueueSpec queue(SplittableRandom random, String name) {
    PreemptionPolicy reclaim = policy(random);
    boolean whileBorrowing = reclaim != PreemptionPolicy.NEVER && random.nextBoolean();
    return new QueueSpec(
        name,
        true,
        false,
        List.of(),
        new QueueSpec.Fungibility(false, true, false),
        new QueueSpec.Preemption(policy(random), reclaim, whileBorrowing, OptionalInt.of(2)),
        Optional.empty(),
        false,
        spec(random, name, "c" + random.nextInt(3)));
  }

  private static PreemptionPolicy policy(SplittableRandom random) {
    return List.of(PreemptionPolicy.values()).get(random.nextInt(4));
  }

  private static QuotaSpec spec(SplittableRandom random, String name, String parent) {
    var quotas = new TreeMap<FlavorResource, Quota>();
    OptionalLong borrowing =
        random.nextInt(3) == 0 ? OptionalLong.of(random.nextInt(5)) : OptionalLong.empty();
    OptionalLong lending =
        random.nextInt(3) == 0 ? OptionalLong.of(random.nextInt(5)) : OptionalLong.empty();
    quotas.put(GPU, new Quota(random.nextInt(7), borrowing, lending));
    return new QuotaSpec(name, parent, Quantity.ofMillis(random.nextInt(4) * 500L), quotas);
  }

  private static QuotaReservation reservation(SplittableRandom random, String name) {
    return new QuotaReservation(
        new WorkloadIdentity("team", name, name),
        "",
        new QueueNames("lq", "q" + random.nextInt(5)),
        new Precedence(random.nextInt(4), Instant.ofEpochSecond(random.nextInt(9))),
        Instant.ofEpochSecond(random.nextInt(9)),
        usage(1 + random.nextInt(4)),
        QuotaReservation.State.of(true, random.nextInt(8) == 0),
        Optional.empty());
  }

  private static PendingWorkload workload(SplittableRandom random) {
    return workload(random, "q0");
  }

  private static PendingWorkload workload(SplittableRandom random, String queue) {
    return new PendingWorkload(
        new WorkloadIdentity("team", "new", "new"),
        "",
        new QueueNames("lq", queue),
        new Precedence(random.nextInt(5), Instant.ofEpochSecond(random.nextInt(9))),
        List.of(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        true);
  }

  private static Usage usage(long amount) {
    var amounts = new TreeMap<FlavorResource, Long>();
    amounts.put(GPU, amount);
    return new Usage(amounts);
  }

  private static void remove(QuotaLedger ledger, QuotaReservation held) {
    ledger.tree().queue(held.clusterQueue()).orElseThrow().remove(held.usage());
  }

  private static void add(QuotaLedger ledger, QuotaReservation held) {
    ledger.tree().queue(held.clusterQueue()).orElseThrow().add(held.usage());
  }

  private static List<String> numbers(QuotaLedger ledger) {
    var numbers = new ArrayList<String>();
    ledger.tree().queues().forEach(node -> numbers.add(node.path() + " " + node.usage(GPU)));
    ledger.tree().cohorts().forEach(node -> numbers.add(node.path() + " " + node.usage(GPU)));
    return numbers;
  }
}
