package dev.sluice.engine.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.preemption.Target.Cause;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.Precedence;
import dev.sluice.engine.queue.QueueNames;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.queue.WorkloadIdentity;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Quantity;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The watch over preemption notices what it is there to notice. */
class MinimalVictimsCheckTest {
  private static final FlavorResource GPU = new FlavorResource("f", "gpu");

  private final QuotaLedger ledger = new QuotaLedger();

  record Case(String name, int request, List<String> victims, List<String> want) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** The queue uses its own four gpus, in workloads of 2, 1 and 1; another uses two of four. */
  static final List<Case> CASES =
      List.of(
          new Case("nobody", 9, List.of(), List.of()),
          new Case("as many as needed", 5, List.of("own1", "own2"), List.of()),
          new Case(
              "one too many",
              3,
              List.of("own1", "own2", "own3"),
              List.of(
                  "Workload team/new evicts Workload team/own2, which could stay",
                  "Workload team/new evicts Workload team/own3, which could stay")),
          new Case("one without whom it need not borrow", 2, List.of("own1"), List.of()),
          new Case(
              "too few",
              6,
              List.of("own1"),
              List.of("Workload team/new evicts others and still does not fit")));

  @BeforeEach
  void twoQueues() {
    ledger.define(List.of(queue("q"), queue("other")), List.of(), List.of());
    ledger.hold(held("own1", "q", 2));
    ledger.hold(held("own2", "q", 1));
    ledger.hold(held("own3", "q", 1));
    ledger.hold(held("stranger", "other", 2));
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void noticesWhoNeedNotGo(Case c) {
    long before = ledger.tree().queue("q").orElseThrow().available(GPU);
    List<Target> victims =
        c.victims.stream()
            .map(name -> ledger.reservation("team/" + name).orElseThrow())
            .map(one -> new Target(one, Cause.IN_CLUSTER_QUEUE))
            .toList();

    assertThat(
            new MinimalVictimsCheck(ledger, waiting(), Usage.of(GPU, c.request)).breaches(victims))
        .isEqualTo(c.want);
    assertThat(ledger.tree().queue("q").orElseThrow().available(GPU)).isEqualTo(before);
  }

  private static QueueSpec queue(String name) {
    var quota = new Quota(4, OptionalLong.empty(), OptionalLong.empty());
    var policy = PreemptionPolicy.LOWER_PRIORITY;
    return new QueueSpec(
        name,
        true,
        false,
        List.of(),
        new QueueSpec.Fungibility(false, true, false),
        new QueueSpec.Preemption(policy, policy, false, OptionalInt.empty()),
        Optional.empty(),
        false,
        new QuotaSpec(name, "r", Quantity.of(1), new TreeMap<>(Map.of(GPU, quota))));
  }

  private static QuotaReservation held(String name, String queue, int gpus) {
    return new QuotaReservation(
        new WorkloadIdentity("team", name, name),
        "",
        new QueueNames("lq", queue),
        new Precedence(0, Instant.EPOCH),
        Instant.EPOCH,
        Usage.of(GPU, gpus),
        QuotaReservation.State.ADMITTED,
        Optional.empty());
  }

  private static PendingWorkload waiting() {
    return new PendingWorkload(
        new WorkloadIdentity("team", "new", "new"),
        "",
        new QueueNames("lq", "q"),
        new Precedence(1, Instant.EPOCH),
        List.of(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        true);
  }
}
