package dev.sluice.controllers.scheduling;

import static dev.sluice.controllers.scheduling.StorageScene.uses;
import static dev.sluice.testkit.Worlds.reasons;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolume.Phase;
import dev.sluice.runtime.Deletion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of claims and volumes when others come or go. */
@Timeout(60)
class ClaimLifeTest {
  private final StorageScene scene = new StorageScene();

  @Test
  void aClaimInUseStaysUntilItsPodHasEnded() {
    scene.node("a", "west");
    scene.volume("v", "", "west");
    scene.claim("data", "");
    scene.pod("p", uses("data"));
    scene.settle();
    scene.cluster.delete(
        Kinds.PERSISTENT_VOLUME_CLAIM, scene.claim("data").object(), Deletion.BACKGROUND);
    scene.cluster.delete(Kinds.PERSISTENT_VOLUME, scene.volume("v").object(), Deletion.BACKGROUND);
    scene.settle();

    assertThat(scene.claim("data").object().isDeleting()).isTrue();

    scene.cluster.delete(Kinds.POD, scene.pod("p").object(), Deletion.NOW);
    scene.settle();
    assertThat(scene.cluster.list(Kinds.PERSISTENT_VOLUME_CLAIM)).isEmpty();
    assertThat(scene.cluster.list(Kinds.PERSISTENT_VOLUME)).isEmpty();
  }

  @Test
  void aVolumeWhoseClaimIsGoneIsReleasedAndAClaimWhoseVolumeIsGoneIsLost() {
    scene.volume("v", "", "west");
    scene.claim("data", "");
    scene.settle();
    scene.cluster.delete(
        Kinds.PERSISTENT_VOLUME_CLAIM, scene.claim("data").object(), Deletion.BACKGROUND);
    scene.settle();

    assertThat(scene.volume("v").is(Phase.RELEASED)).isTrue();

    scene.volume("w", "", "west");
    scene.claim("other", "");
    scene.settle();
    assertThat(scene.claim("other").volumeName()).isEqualTo("w");
    ApiObject unheld = scene.volume("w").object().withoutFinalizer(PersistentVolume.PROTECTION);
    scene.cluster.delete(
        Kinds.PERSISTENT_VOLUME,
        scene.cluster.update(Kinds.PERSISTENT_VOLUME, unheld),
        Deletion.NOW);
    scene.settle();
    assertThat(scene.claim("other").isLost()).isTrue();
    assertThat(reasons(scene.cluster, "other")).contains("ClaimLost");
  }

  @Test
  void aClaimWithoutAClassGetsTheDefaultOneWhenItComes() {
    scene.claim("data", "");
    scene.cluster.update(
        Kinds.PERSISTENT_VOLUME_CLAIM,
        scene.claim("data").object().without(List.of("spec", "storageClassName")));
    scene.storageClass("late", "example.com/maker");
    ApiObject late = scene.cluster.require(Kinds.STORAGE_CLASS.key("late"));
    scene.cluster.update(
        Kinds.STORAGE_CLASS,
        late.withAnnotation("storageclass.kubernetes.io/is-default-class", "true"));
    scene.settle();

    assertThat(scene.claim("data").storageClassName()).isEqualTo("late");
  }
}
