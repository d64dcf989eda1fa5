package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.KueueNames;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The slices that a change of a slice concerns. */
class SliceChainsTest {
  private final SliceChains chains = new SliceChains();

  private static ObjectKey key(String name) {
    return Kinds.WORKLOAD.key("default", name);
  }

  private Set<ObjectKey> note(String name, String replaces) {
    ApiObject slice =
        ApiObject.of(Kinds.WORKLOAD, "default", name)
            .withAnnotation(KueueNames.SLICE_REPLACEMENT_FOR, replaces);
    return chains.note(key(name), Optional.of(slice));
  }

  private Set<ObjectKey> noteDeleted(String name) {
    return chains.note(key(name), Optional.empty());
  }

  @Test
  void changedSliceConcernsItsNeighbours() {
    assertThat(note("first", "")).containsExactly(key("first"));
    assertThat(note("second", "default/first")).containsExactly(key("second"), key("first"));
    note("third", "default/second");

    assertThat(note("first", "")).containsExactly(key("first"), key("second"));
    assertThat(note("second", "default/first"))
        .containsExactly(key("second"), key("first"), key("third"));
  }

  @Test
  void deletedSliceStillConcernsItsNeighbours() {
    note("second", "default/first");
    note("third", "default/second");

    assertThat(noteDeleted("second")).containsExactly(key("second"), key("first"), key("third"));
    assertThat(noteDeleted("second")).containsExactly(key("second"), key("third"));
  }

  @Test
  void successorsOfOneSliceConcernEachOther() {
    note("second", "default/first");

    assertThat(note("rival", "default/first")).contains(key("second"));
  }

  @Test
  void changedPredecessorConcernsBoth() {
    note("second", "default/first");

    assertThat(note("second", "default/other"))
        .containsExactly(key("second"), key("first"), key("other"));
    assertThat(chains.successors(key("first"))).isEmpty();
  }

  @Test
  void sliceOfAnotherNamespaceIsIgnored() {
    assertThat(note("second", "other/first")).containsExactly(key("second"));
    assertThat(note("second", "first")).containsExactly(key("second"));
  }
}
