package dev.sluice.model.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.Quantity;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.QueueStatus.FlavorUse;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The status of queues is written in fields of their schemas, and read from them. */
class QueueStatusTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @Test
  void theStatusOfAClusterQueue() {
    var use =
        new FlavorUse("f", new TreeMap<>(Map.of("cpu", 3000L)), new TreeMap<>(Map.of("cpu", 500L)));
    QueueStatus status =
        new QueueStatus(Tree.EMPTY)
            .withWorkloads(3, 2, 1)
            .withUse(List.of(use), List.of(use))
            .withWeightedShare(12)
            .withCondition(new Condition(ClusterQueue.ACTIVE, true, "Ready", ""), NOW, 3);

    assertThat(unknownFields(Kinds.CLUSTER_QUEUE, status)).isEmpty();
    assertThat(status.pending()).isEqualTo(3);
    assertThat(status.admitted()).isOne();
    assertThat(status.used("f", "cpu")).isEqualTo("3");
    assertThat(status.borrowed("f", "cpu")).isEqualTo("500m");
    assertThat(status.borrowed("g", "cpu")).isEqualTo("0");
    assertThat(status.weightedShare()).hasValue(12);
    assertThat(status.withoutFairSharing().weightedShare()).isEmpty();
  }

  @Test
  void theStatusOfALocalQueue() {
    var consumed = new TreeMap<>(Map.of("cpu", Quantity.parse("1500u").orElseThrow()));
    var use = new FlavorUse("f", new TreeMap<>(Map.of("cpu", 3000L)));
    QueueStatus status =
        new QueueStatus(Tree.EMPTY)
            .withUse(List.of(use), List.of(use))
            .withConsumedResources(consumed, NOW);

    assertThat(unknownFields(Kinds.LOCAL_QUEUE, status)).isEmpty();
    assertThat(status.consumedResources()).isEqualTo(consumed);
    assertThat(status.consumptionUpdated()).contains(NOW);
    assertThat(status.weightedShare()).hasValue(0);
  }

  private static List<String> unknownFields(ResourceKind kind, QueueStatus status) {
    return Schemas.unknownFields(ApiObject.of(kind, "team", "q").withStatus(status.tree()));
  }
}
