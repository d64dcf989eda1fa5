package dev.sluice.engine.admission.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.admission.QueueSketch;
import dev.sluice.engine.admission.RandomQueues;
import dev.sluice.engine.admission.Scene;
import dev.sluice.engine.admission.pending.Headroom;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
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
 * What is kept for the next of a shape is what a complete look would find: on random trees, for
 * workloads of few shapes, whatever others hold.
 */
class MisfitTest {

  static LongStream seeds() {
    return Seeds.first(100);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theNextOfAShapeIsToldWhatACompleteLookFinds(long seed) {
    var random = new SplittableRandom(seed);
    var sketches = new RandomQueues(random, List.of("f"));
    List<QueueSpec> queues = sketches.queues().stream().map(QueueSketch::spec).toList();
    var ledger = new QuotaLedger();
    ledger.define(
        queues,
        sketches.cohorts().stream().map(QueueSketch::quotaSpec).toList(),
        List.of(Scene.plain("f")));
    var held = new ArrayList<QuotaReservation>();
    AdmissionRules rules = AdmissionRules.DEFAULT;
    for (QueueSpec queue : queues) {
      var line =
          new PendingQueue(
              queue, new Headroom(ledger, queue, false), true, (_, _) -> true, (_, _) -> 0);
      for (int number = 0; number < 60; number++) {
        change(ledger, held, sketches.job(number), random);
        PendingEntry item = line.add(job(number, queue.name(), random).waiting());
        line.glance(item);

        Nomination remembered = new Nominator(ledger, rules, true).nominate(line, item);
        Nomination complete = new Nominator(ledger, rules, false).nominate(line, item);

        assertThat(remembered.assignment()).isEqualTo(complete.assignment());
        assertThat(remembered.targets()).isEqualTo(complete.targets());
        assertThat(remembered.level()).isEqualTo(complete.level());
      }
    }
  }

  /** One of few shapes, so that many are alike. */
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
      QuotaReservation more = job.holding("f");
      if (ledger.tree().queue(job.queue()).orElseThrow().fits(more.usage())) {
        ledger.hold(more);
        held.add(more);
      }
    }
  }
}
