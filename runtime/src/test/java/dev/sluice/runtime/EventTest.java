package dev.sluice.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import org.junit.jupiter.api.Test;

class EventTest {
  private static final ResourceKind KIND = new ResourceKind("a.b", "v1", "Boat", "boats", true);
  private static final ApiObject BOAT =
      ApiObject.of(KIND, "sea", "one").withSpec(Tree.of("sails", 2));

  @Test
  void onlyAChangeElsewhereKeepsTheSpec() {
    ApiObject seen = BOAT.withLabel("seen", "yes");
    ApiObject larger = BOAT.withSpec(Tree.of("sails", 3));

    assertThat(Event.modified(BOAT, seen).keepsSpec()).isTrue();
    assertThat(Event.modified(BOAT, larger).keepsSpec()).isFalse();
    assertThat(Event.added(BOAT).keepsSpec()).isFalse();
    assertThat(Event.deleted(BOAT).keepsSpec()).isFalse();
  }
}
