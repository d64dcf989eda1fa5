package dev.sluice.engine.preemption;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.ANY;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.QueueSketch;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is kept from one search for the next must not outlive what it was found in. */
class KeptSearchTest {
  private static final FlavorResource GPU = new FlavorResource("f", "gpu");

  private final QuotaLedger ledger = new QuotaLedger();
  private final PreemptionSearch preemption =
      new PreemptionSearch(ledger, PreemptionRules.CLASSICAL);

  @BeforeEach
  void queueHasLentAllToAnother() {
    define(queue("own", 2).in("r").reclaims(ANY).within(LOWER_PRIORITY), queue("other", 2).in("r"));
    ledger.hold(job("b1", "other", 2).reservedAt(1).reservation("f"));
    ledger.hold(job("b2", "other", 1).reservedAt(2).reservation("f"));
    ledger.hold(job("a1", "own", 1).reservation("f"));
  }

  private void define(QueueSketch... queues) {
    ledger.define(
        Stream.of(queues).map(QueueSketch::spec).toList(),
        List.of(),
        List.of(AdmissionScene.plain("f")));
  }

  private List<String> victims() {
    return preemption
        .targets(job("new", "own", 1).priority(1).pending(), Usage.of(GPU, 1), Set.of(GPU))
        .stream()
        .map(target -> target.victim().name())
        .toList();
  }

  @Test
  void latestBorrowerGivesQuotaBack() {
    assertThat(victims()).containsExactly("b2");
  }

  @Test
  void otherQuotasLeadToOtherVictims() {
    assertThat(victims()).containsExactly("b2");

    define(queue("own", 2).in("r").reclaims(ANY).within(LOWER_PRIORITY), queue("other", 1).in("r"));

    assertThat(victims()).containsExactly("b1");
  }

  @Test
  void evictedWorkloadOfTheOwnQueueIsFirst() {
    assertThat(victims()).containsExactly("b2");

    ledger.hold(job("a1", "own", 1).alreadyEvicted().reservation("f"));
    assertThat(ledger.hasEvicted("own")).isTrue();
    assertThat(victims()).containsExactly("a1");

    ledger.release("team/a1");
    assertThat(ledger.hasEvicted("own")).isFalse();
  }

  @Test
  void evictedWorkloadOfAnotherQueueIsBeforeAll() {
    ledger.hold(job("b1", "other", 2).reservedAt(1).alreadyEvicted().reservation("f"));
    ledger.hold(job("a1", "own", 1).alreadyEvicted().reservation("f"));

    assertThat(victims()).containsExactly("b1");
  }
}
