package dev.sluice.engine.admission.precheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.admission.QueueSketch;
import dev.sluice.engine.admission.RandomQueues;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.cycle.Nomination;
import dev.sluice.engine.admission.cycle.Nominator;
import dev.sluice.engine.admission.pending.Headroom;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.preemption.PreemptionSearch;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.model.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is remembered for equivalent workloads is what a complete nomination would find: on random
 * trees, for workloads of few equivalence keys, whatever others hold.
 */
class RememberedNominationsTest {

  private static final AdmissionRules RULES = AdmissionRules.DEFAULT;

  static LongStream seeds() {
    return Seeds.first(100);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void rememberedNominationEqualsACompleteOne(long seed) {
    var random = new SplittableRandom(seed);
    var sketches = new RandomQueues(random, List.of("f"));
    List<QueueSpec> queues = sketches.queues().stream().map(QueueSketch::spec).toList();
    var ledger = new QuotaLedger();
    ledger.define(
        queues,
        sketches.cohorts().stream().map(QueueSketch::quotaSpec).toList(),
        List.of(AdmissionScene.plain("f")));
    var held = new ArrayList<QuotaReservation>();
    for (QueueSpec queue : queues) {
      var pending =
          new PendingQueue(
              queue, new Headroom(ledger, queue, false), true, (_, _) -> true, (_, _) -> 0);
      for (int number = 0; number < 60; number++) {
        change(ledger, held, sketches.job(number), random);
        PendingEntry entry = pending.add(job(number, queue.name(), random).pending());
        pending.fitLevel(entry);

        Nomination remembered = remembered(ledger).nominate(pending, entry);
        Nomination complete = complete(ledger).nominate(pending, entry);

        assertThat(remembered.assignment()).isEqualTo(complete.assignment());
        assertThat(remembered.targets()).isEqualTo(complete.targets());
        assertThat(remembered.level()).isEqualTo(complete.level());
      }
    }
  }

  private static RememberedNominations remembered(QuotaLedger ledger) {
    var search = new PreemptionSearch(ledger, RULES.preemption());
    return new RememberedNominations(new Nominator(ledger, RULES, search), search);
  }

  private static Nominator complete(QuotaLedger ledger) {
    return new Nominator(
        ledger, RULES, PreemptionSearch.withoutShortcuts(ledger, RULES.preemption()));
  }

  /** A job with one of few equivalence keys, so that many are equivalent. */
  private static Job job(int number, String queue, SplittableRandom random) {
    Amounts gpus = Amounts.of("gpu", 2 + 2 * random.nextInt(3));
    Amounts each = random.nextBoolean() ? gpus : gpus.plus(Amounts.of("disk", 1));
    return Job.empty("w" + number, queue)
        .pods("main", 1, each)
        .priority(random.nextInt(2))
        .since(number);
  }

  private static void change(
      QuotaLedger ledger, List<QuotaReservation> held, Job job, SplittableRandom random) {
    if (random.nextBoolean() && !held.isEmpty()) {
      ledger.release(held.remove(random.nextInt(held.size())).path());
    } else if (ledger.tree().queue(job.queue()).isPresent()) {
      QuotaReservation more = job.reservation("f");
      if (ledger.tree().queue(job.queue()).orElseThrow().fits(more.usage())) {
        ledger.hold(more);
        held.add(more);
      }
    }
  }
}
