package dev.sluice.model.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SharedValuesTest {
  private final SharedValues shared = new SharedValues();

  private static Tree pod(String name, String image) {
    return Json.parse(
            """
            {"kind": "Pod",
             "metadata": {"name": "%s", "labels": {"job": "a"}},
             "spec": {"containers": [{"name": "main", "image": "%s", "ports": [80, 1.5]}],
                      "hostname": "%s"}}
            """
                .formatted(name, image, name))
        .asTree();
  }

  @Test
  void equalPartsOfDifferentObjectsBecomeOne() {
    Tree first = shared.share(pod("a-0", "busybox"), Tree.EMPTY);
    Tree second = shared.share(pod("a-1", "busybox"), Tree.EMPTY);

    assertThat(first).isEqualTo(pod("a-0", "busybox"));
    assertThat(second).isEqualTo(pod("a-1", "busybox"));
    assertThat(second.at("spec", "containers")).isSameAs(first.at("spec", "containers"));
    assertThat(second.at("metadata", "labels")).isSameAs(first.at("metadata", "labels"));
    assertThat(second.at("kind")).isSameAs(first.at("kind"));
  }

  @Test
  void partsOfPartsAreSharedWhereTheWholeDiffers() {
    Tree first = shared.share(pod("a", "busybox"), Tree.EMPTY);
    Tree second = shared.share(pod("b", "alpine"), Tree.EMPTY);

    Tree container = first.trees("spec", "containers").getFirst();
    Tree other = second.trees("spec", "containers").getFirst();
    assertThat(other).isNotEqualTo(container);
    assertThat(other.at("ports")).isSameAs(container.at("ports"));
  }

  @Test
  void sharedValueKeepsItsJsonAndIsWrittenAsBefore() {
    Tree first = shared.share(pod("a-0", "busybox"), Tree.EMPTY);
    Tree container = first.trees("spec", "containers").getFirst();
    assertThat(container.json()).isNull();

    Tree second = shared.share(pod("a-1", "busybox"), Tree.EMPTY);

    assertThat(container.json()).asString().isEqualTo(container.toString());
    assertThat(second).hasToString(pod("a-1", "busybox").toString());
    assertThat(container.with("image", "alpine"))
        .hasToString(pod("", "alpine").trees("spec", "containers").getFirst().toString());
  }

  @Test
  void anUpdateKeepsWhatItDoesNotChange() {
    Tree before = shared.share(pod("a", "busybox"), Tree.EMPTY);
    Tree update = pod("a", "busybox").with(List.of("status", "phase"), "Running");

    var other = new SharedValues();
    Tree after = other.share(update, before);

    assertThat(after).isEqualTo(update);
    assertThat(after.at("metadata")).isSameAs(before.at("metadata"));
    assertThat(after.at("spec")).isSameAs(before.at("spec"));
    assertThat(other.share(after, before)).isSameAs(after);
  }

  @Test
  void largeValueIsNotShared() {
    String text = "x".repeat(2000);
    Tree first = Tree.of("data", Tree.of("key", text, "small", "y"));
    Tree second = Tree.of("data", Tree.of("key", new String(text), "small", new String("y")));

    Tree one = shared.share(first, Tree.EMPTY);
    Tree other = shared.share(second, Tree.EMPTY);

    assertThat(other).isEqualTo(one);
    assertThat(other.at("data", "key")).isNotSameAs(one.at("data", "key"));
    assertThat(other.at("data", "small")).isSameAs(one.at("data", "small"));
  }
}
