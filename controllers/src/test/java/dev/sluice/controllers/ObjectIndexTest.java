package dev.sluice.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.FakeCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectIndexTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private final ObjectIndex<String> index =
      new ObjectIndex<>(cluster, Kinds.CONFIG_MAP, ObjectIndexTest::terms);

  private static List<String> terms(ApiObject object) {
    String terms = object.label("terms");
    return terms.isEmpty() ? List.of() : List.of(terms.split("-", -1));
  }

  private ApiObject create(String name, String terms) {
    return cluster.create(
        Kinds.CONFIG_MAP,
        ApiObject.of(Kinds.CONFIG_MAP, "default", name).withLabel("terms", terms));
  }

  private List<String> names(String term) {
    return index.objects(term).stream().map(ApiObject::name).toList();
  }

  @Test
  void objectsAreFoundByEachOfTheirTermsInTheOrderOfNames() {
    index.changed(create("b", "x-y"));
    index.changed(create("a", "x"));
    index.changed(create("c", ""));

    assertThat(names("x")).containsExactly("a", "b");
    assertThat(names("y")).containsExactly("b");
    assertThat(index.keys("x"))
        .containsExactly(
            Kinds.CONFIG_MAP.key("default", "a"), Kinds.CONFIG_MAP.key("default", "b"));
    assertThat(index.contains("z")).isFalse();
  }

  @Test
  void changedObjectLeavesItsFormerTerms() {
    ApiObject object = create("a", "x-y");
    index.changed(object);

    index.changed(cluster.update(Kinds.CONFIG_MAP, object.withLabel("terms", "y-z")));

    assertThat(index.contains("x")).isFalse();
    assertThat(names("y")).containsExactly("a");
    assertThat(names("z")).containsExactly("a");
  }

  @Test
  void deletedObjectIsNotFoundEvenBeforeItsEvent() {
    ApiObject object = create("a", "x");
    index.changed(object);

    cluster.delete(Kinds.CONFIG_MAP, object, Deletion.NOW);

    assertThat(names("x")).isEmpty();
    index.changed(object);
    assertThat(index.contains("x")).isFalse();
  }

  @Test
  void lateEventDoesNotTakeTheIndexBack() {
    ApiObject before = create("a", "x");
    index.changed(cluster.update(Kinds.CONFIG_MAP, before.withLabel("terms", "y")));

    index.changed(before);

    assertThat(names("x")).isEmpty();
    assertThat(names("y")).containsExactly("a");
  }
}
