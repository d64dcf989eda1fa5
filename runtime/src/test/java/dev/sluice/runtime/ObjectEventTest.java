package dev.sluice.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import org.junit.jupiter.api.Test;

class ObjectEventTest {
  private static final ResourceKind KIND = new ResourceKind("a.b", "v1", "Boat", "boats", true);
  private static final ApiObject BOAT =
      ApiObject.of(KIND, "sea", "one").withSpec(Tree.of("sails", 2));

  @Test
  void onlyAChangeElsewhereKeepsTheSpec() {
    ApiObject seen = BOAT.withLabel("seen", "yes");
    ApiObject larger = BOAT.withSpec(Tree.of("sails", 3));

    assertThat(ObjectEvent.modified(BOAT, seen).keepsSpec()).isTrue();
    assertThat(ObjectEvent.modified(BOAT, larger).keepsSpec()).isFalse();
    assertThat(ObjectEvent.added(BOAT).keepsSpec()).isFalse();
    assertThat(ObjectEvent.deleted(BOAT).keepsSpec()).isFalse();
  }
}
