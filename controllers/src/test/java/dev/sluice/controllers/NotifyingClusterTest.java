package dev.sluice.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.FakeCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NotifyingClusterTest {
  private static final ObjectKey POD = Kinds.POD.key("default", "a");

  private final FakeCluster world = new FakeCluster(1);
  private final List<ObjectKey> written = new ArrayList<>();
  private final Cluster cluster = new NotifyingCluster(world, Kinds.POD, written::add);

  private List<ObjectKey> takeWritten() {
    List<ObjectKey> taken = List.copyOf(written);
    written.clear();
    return taken;
  }

  @Test
  void everyWriteOfTheKindNotifies() {
    ApiObject created = cluster.create(Kinds.POD, ApiObject.of(Kinds.POD, "default", "a"));
    assertThat(takeWritten()).containsExactly(POD);

    ApiObject updated = cluster.update(Kinds.POD, created.withLabel("any", "thing"));
    assertThat(takeWritten()).containsExactly(POD);

    ApiObject reported = cluster.patchStatus(Kinds.POD, updated, Tree.of("phase", "Running"));
    assertThat(takeWritten()).containsExactly(POD);

    cluster.as("another").delete(Kinds.POD, reported, Deletion.NOW);
    assertThat(takeWritten()).containsExactly(POD);
    assertThat(cluster.get(POD)).isEmpty();
  }

  @Test
  void refusedWriteNotifiesBecauseTheObjectIsNotAsExpected() {
    ApiObject gone = world.create(Kinds.POD, ApiObject.of(Kinds.POD, "default", "a"));
    world.delete(Kinds.POD, gone, Deletion.NOW);

    assertThatThrownBy(() -> cluster.update(Kinds.POD, gone.withLabel("any", "thing")))
        .isInstanceOf(ApiException.class);
    assertThatThrownBy(() -> cluster.delete(Kinds.POD, gone, Deletion.NOW))
        .isInstanceOf(ApiException.class);

    assertThat(takeWritten()).containsExactly(POD, POD);
  }

  @Test
  void writesOfOtherKindsAndOfOthersDoNotNotify() {
    cluster.create(Kinds.CONFIG_MAP, ApiObject.of(Kinds.CONFIG_MAP, "default", "a"));
    world.create(Kinds.POD, ApiObject.of(Kinds.POD, "default", "a"));

    assertThat(takeWritten()).isEmpty();
  }
}
