package dev.sluice.apiserver.registry.rules.storage;

import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static dev.sluice.model.Kinds.PERSISTENT_VOLUME;
import static dev.sluice.model.Kinds.PERSISTENT_VOLUME_CLAIM;
import static dev.sluice.model.Kinds.STORAGE_CLASS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.World;
import dev.sluice.apiserver.registry.World.Bad;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class VolumeTest {
  private final World world = new World();

  private static String claim(String spec) {
    return "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: x}, spec: {%s}}"
        .formatted(spec);
  }

  private static String volume(String spec) {
    return "{apiVersion: v1, kind: PersistentVolume, metadata: {name: x}, spec: {%s}}"
        .formatted(spec);
  }

  private static String storageClass(String annotations, String rest) {
    return "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: x, annotations:"
        + " {%s}}, %s}".formatted(annotations, rest);
  }

  private static final String ONCE = "accessModes: [ReadWriteOnce]";
  private static final String GIB = "resources: {requests: {storage: 1Gi}}";
  private static final String SOURCE = ONCE + ", hostPath: {path: /x}, ";

  static final List<Bad> BAD =
      List.of(
          new Bad(PERSISTENT_VOLUME_CLAIM, claim(GIB), "spec.accessModes"),
          new Bad(
              PERSISTENT_VOLUME_CLAIM,
              claim("accessModes: [Sometimes], " + GIB),
              "spec.accessModes"),
          new Bad(
              PERSISTENT_VOLUME_CLAIM,
              claim("accessModes: [ReadWriteOncePod, ReadWriteOnce], " + GIB),
              "spec.accessModes"),
          new Bad(PERSISTENT_VOLUME_CLAIM, claim(ONCE), "spec.resources[storage]"),
          new Bad(
              PERSISTENT_VOLUME_CLAIM,
              claim(ONCE + ", resources: {requests: {storage: 0}}"),
              "spec.resources[storage]"),
          new Bad(
              PERSISTENT_VOLUME_CLAIM,
              claim(ONCE + ", storageClassName: A_b, " + GIB),
              "spec.storageClassName"),
          new Bad(
              PERSISTENT_VOLUME_CLAIM,
              claim(ONCE + ", volumeMode: Tape, " + GIB),
              "spec.volumeMode"),
          new Bad(PERSISTENT_VOLUME, volume(SOURCE), "spec.capacity"),
          new Bad(PERSISTENT_VOLUME, volume(SOURCE + "capacity: {cpu: 1}"), "spec.capacity"),
          new Bad(
              PERSISTENT_VOLUME,
              volume(SOURCE + "capacity: {storage: -1}"),
              "spec.capacity[storage]"),
          new Bad(PERSISTENT_VOLUME, volume(ONCE + ", capacity: {storage: 1}"), "spec"),
          new Bad(
              PERSISTENT_VOLUME,
              volume(SOURCE + "capacity: {storage: 1}, nfs: {server: a, path: /}"),
              "spec.nfs"),
          new Bad(
              PERSISTENT_VOLUME,
              volume(ONCE + ", local: {path: /x}, capacity: {storage: 1}"),
              "spec.nodeAffinity"),
          new Bad(STORAGE_CLASS, storageClass("", ""), "provisioner"),
          new Bad(
              STORAGE_CLASS,
              storageClass("", "provisioner: a/b, volumeBindingMode: Never"),
              "volumeBindingMode"),
          new Bad(
              STORAGE_CLASS,
              storageClass("", "provisioner: a/b, reclaimPolicy: Recycle"),
              "reclaimPolicy"));

  @ParameterizedTest
  @FieldSource("BAD")
  void refuses(Bad c) {
    world.assertRefused(c);
  }

  @Test
  void missingFieldsAreDefaulted() {
    ApiObject claim = world.create(PERSISTENT_VOLUME_CLAIM, claim(ONCE + ", " + GIB));
    ApiObject volume =
        world.create(PERSISTENT_VOLUME, volume(SOURCE + "capacity: {storage: 1024Mi}"));

    assertThat(claim.spec().text("volumeMode")).isEqualTo("Filesystem");
    assertThat(claim.status()).isEqualTo(Tree.of("phase", "Pending"));
    assertThat(claim.finalizers()).containsExactly("kubernetes.io/pvc-protection");
    assertThat(volume.spec().text("persistentVolumeReclaimPolicy")).isEqualTo("Retain");
    assertThat(volume.spec().text("capacity", "storage")).isEqualTo("1Gi");
    assertThat(volume.finalizers()).containsExactly("kubernetes.io/pv-protection");
  }

  @Test
  void aClaimWithoutAClassGetsTheDefaultOne() {
    world.create(
        STORAGE_CLASS,
        storageClass("storageclass.kubernetes.io/is-default-class: 'true'", "provisioner: a/b"));

    ApiObject claim = world.create(PERSISTENT_VOLUME_CLAIM, claim(ONCE + ", " + GIB));
    assertThat(claim.spec().text("storageClassName")).isEqualTo("x");
  }

  @Test
  void aClaimMayGetItsVolumeButNothingElse() {
    ApiObject claim = world.create(PERSISTENT_VOLUME_CLAIM, claim(ONCE + ", " + GIB));
    ApiObject bound =
        world.update(PERSISTENT_VOLUME_CLAIM, claim.with(List.of("spec", "volumeName"), "v"));

    for (List<String> path :
        List.of(
            List.of("spec", "volumeName"),
            List.of("spec", "resources", "requests", "storage"),
            List.of("spec", "storageClassName"))) {
      ApiFailure failure =
          refused(
              Reason.INVALID, () -> world.update(PERSISTENT_VOLUME_CLAIM, bound.with(path, "3")));
      assertThat(fields(failure)).containsExactly("spec");
    }
  }

  @Test
  void theSourceOfAVolumeStays() {
    ApiObject volume = world.create(PERSISTENT_VOLUME, volume(SOURCE + "capacity: {storage: 1Gi}"));

    ApiFailure failure =
        refused(
            Reason.INVALID,
            () ->
                world.update(
                    PERSISTENT_VOLUME, volume.with(List.of("spec", "hostPath", "path"), "/y")));
    assertThat(fields(failure)).containsExactly("spec.persistentvolumesource");
  }

  @Test
  void theProvisionerOfAClassStays() {
    ApiObject made = world.create(STORAGE_CLASS, storageClass("", "provisioner: a/b"));

    ApiFailure failure =
        refused(
            Reason.INVALID,
            () -> world.update(STORAGE_CLASS, made.with(List.of("provisioner"), "c/d")));
    assertThat(fields(failure)).containsExactly("provisioner");
    assertThat(made.tree().text("volumeBindingMode")).isEqualTo("Immediate");
  }
}
