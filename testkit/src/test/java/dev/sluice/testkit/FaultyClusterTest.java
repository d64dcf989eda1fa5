package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FaultyClusterTest {
  private final Cluster cluster = new FakeCluster(1);
  private final List<ObjectEvent> told = new ArrayList<>();

  @Test
  void withoutFaultsItIsTheWorld() {
    faulty(0).watch(Kinds.CONFIG_MAP, told::add);
    int before = told.size();
    ApiObject created = cluster.create(Kinds.CONFIG_MAP, configMap("a"));
    cluster.update(Kinds.CONFIG_MAP, created.withLabel("l", "1"));
    cluster.delete(Kinds.CONFIG_MAP, created, Deletion.BACKGROUND);

    assertThat(told.subList(before, told.size()))
        .extracting(ObjectEvent::type)
        .containsExactly(
            ObjectEvent.Type.ADDED, ObjectEvent.Type.MODIFIED, ObjectEvent.Type.DELETED);
  }

  @Test
  void whatAWatchLostItLearnsWhenItListsAnew() {
    FaultyCluster faulty = faulty(0);
    ApiObject old = cluster.create(Kinds.CONFIG_MAP, configMap("old"));
    faulty.watch(Kinds.CONFIG_MAP, told::add);
    told.clear();
    faulty.setPercent(100);
    cluster.delete(Kinds.CONFIG_MAP, old, Deletion.BACKGROUND);
    cluster.create(Kinds.CONFIG_MAP, configMap("new"));
    assertThat(told).isEmpty();

    faulty.heal();

    assertThat(told)
        .filteredOn(event -> event.object().namespace().equals("default"))
        .extracting(event -> event.type() + " " + event.object().name())
        .containsExactly("DELETED old", "ADDED new");
  }

  @Test
  void aWriteMayMeetAConflictAndThenChangesNothing() {
    ApiObject seen = cluster.create(Kinds.CONFIG_MAP, configMap("a"));

    assertThatThrownBy(() -> faulty(100).update(Kinds.CONFIG_MAP, seen.withLabel("l", "1")))
        .isInstanceOf(ApiException.class);

    assertThat(cluster.get(seen.key(Kinds.CONFIG_MAP))).contains(seen);
  }

  @Test
  void itsUserDiesAfterAWriteThatStays() {
    FaultyCluster faulty = faulty(0);
    faulty.stopAfterWrites(2);
    faulty.create(Kinds.CONFIG_MAP, configMap("a"));

    assertThatThrownBy(() -> faulty.create(Kinds.CONFIG_MAP, configMap("b")))
        .isInstanceOf(Stopped.class);

    assertThat(cluster.get(Kinds.CONFIG_MAP.key("default", "b"))).isPresent();
  }

  private FaultyCluster faulty(int percent) {
    return new FaultyCluster(cluster, new SplittableRandom(1), percent);
  }

  private static ApiObject configMap(String name) {
    return new ApiObject(
        ApiObject.of(Kinds.CONFIG_MAP, "default", name).tree().with("data", Tree.EMPTY));
  }
}
