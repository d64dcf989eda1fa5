package dev.sluice.apiserver.registry;

import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.WriteOptions.FieldValidation;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replacing: preconditions, generations, the split of the status, writes in vain. */
class UpdateTest {
  private final World world = new World();

  @Test
  void aReplacementOfAnOldRevisionIsRefused() {
    ApiObject seen = world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));
    world.update(Kinds.CONFIG_MAP, seen.withLabel("a", "b"));

    ApiFailure conflict =
        refused(Reason.CONFLICT, () -> world.update(Kinds.CONFIG_MAP, seen.withLabel("a", "c")));

    assertThat(conflict.message())
        .isEqualTo(
            "Operation cannot be fulfilled on configmaps \"a\": the object has been modified;"
                + " please apply your changes to the latest version and try again");
    assertThat(conflict.kind()).isEqualTo("configmaps");
  }

  @Test
  void aCoreKindIsReplacedWithoutARevisionAndAnEmptyUidIsFilled() {
    ApiObject created = world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));

    ApiObject replaced =
        world.update(
            Kinds.CONFIG_MAP,
            new ApiObject(Samples.configMap("a"))
                .withMetadata("namespace", "default")
                .with(List.of("data", "key"), "other"));

    assertThat(replaced.uid()).isEqualTo(created.uid());
    assertThat(replaced.created()).isEqualTo(created.created());
    assertThat(replaced.tree().text("data", "key")).isEqualTo("other");
  }

  @Test
  void anotherUidIsAConflictForAReplacementAndInvalidForAPatch() {
    ApiObject created = world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));

    ApiFailure replaced =
        refused(
            Reason.CONFLICT,
            () -> world.update(Kinds.CONFIG_MAP, created.withMetadata("uid", "other")));
    ApiFailure patched =
        refused(
            Reason.INVALID,
            () ->
                world.patch(
                    Kinds.CONFIG_MAP, "a", tree -> tree.with(List.of("metadata", "uid"), "other")));

    assertThat(replaced.message()).contains("Precondition failed: UID in precondition: other");
    assertThat(fields(patched)).containsExactly("metadata.uid");
  }

  @Test
  void nameAndNamespaceAreThoseOfThePath() {
    ApiObject created = world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));
    ServedKind kind = world.served(Kinds.CONFIG_MAP);

    refused(
        Reason.BAD_REQUEST,
        () ->
            world.registry.update(
                kind, "default", "a", "", created.withMetadata("name", "b").tree(), world.options));
    refused(
        Reason.BAD_REQUEST,
        () ->
            world.patch(
                Kinds.CONFIG_MAP, "a", tree -> tree.with(List.of("metadata", "namespace"), "b")));
  }

  @Test
  void missingObjectIsNotFoundUnlessItsKindIsCreatedByUpdate() {
    ApiObject lease =
        new ApiObject(
            World.yaml(
                """
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: l, namespace: default}
                spec: {holderIdentity: me, leaseDurationSeconds: 15}
                """));

    refused(Reason.NOT_FOUND, () -> world.update(Kinds.POD, new ApiObject(Samples.pod("p"))));
    ApiObject created = world.update(Kinds.LEASE, lease);
    ApiFailure unconditional = refused(Reason.INVALID, () -> world.update(Kinds.LEASE, lease));
    ApiObject renewed =
        world.update(Kinds.LEASE, created.with(List.of("spec", "leaseTransitions"), 1));
    world.delete(Kinds.LEASE, "l");
    refused(Reason.CONFLICT, () -> world.update(Kinds.LEASE, renewed));

    assertThat(created.uid()).isNotEmpty();
    assertThat(unconditional.message())
        .isEqualTo(
            "leases.coordination.k8s.io \"l\" is invalid: metadata.resourceVersion: Invalid value:"
                + " \"0\": must be specified for an update");
    assertThat(unconditional.kind()).isEqualTo("leases");
  }

  @Test
  void aRevisionThatIsNoneIsRefused() {
    ApiObject created = world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));

    refused(
        Reason.INTERNAL_ERROR,
        () -> world.update(Kinds.CONFIG_MAP, created.withMetadata("resourceVersion", "abc")));
  }

  @Test
  void aWriteThatChangesNothingKeepsTheRevisionAndTellsNobody() {
    ApiObject job = world.create(Kinds.JOB, Samples.job("j"));
    ApiObject pod = world.create(Kinds.POD, Samples.pod("p"));
    var changes = world.changes(Kinds.JOB);

    assertThat(world.update(Kinds.JOB, job)).isEqualTo(job);
    assertThat(world.updateStatus(Kinds.JOB, job)).isEqualTo(job);
    assertThat(world.patch(Kinds.JOB, "j", tree -> tree)).isEqualTo(job);
    assertThat(world.update(Kinds.POD, pod)).isEqualTo(pod);
    assertThat(changes).isEmpty();
  }

  @Test
  void theGenerationMovesWithTheSpecAlone() {
    ApiObject job = world.create(Kinds.JOB, Samples.job("j"));

    ApiObject labelled = world.update(Kinds.JOB, job.withLabel("a", "b"));
    ApiObject reported =
        world.updateStatus(
            Kinds.JOB, labelled.withStatus(Tree.of("active", 1)).withMetadata("generation", 9));
    ApiObject scaled = world.update(Kinds.JOB, reported.with(List.of("spec", "parallelism"), 2));

    assertThat(job.generation()).isEqualTo(1);
    assertThat(labelled.generation()).isEqualTo(1);
    assertThat(reported.generation()).isEqualTo(1);
    assertThat(scaled.generation()).isEqualTo(2);
  }

  @Test
  void anUpdateKeepsTheStatusAndAStatusUpdateTheSpec() {
    ApiObject job = world.create(Kinds.JOB, Samples.job("j"));

    ApiObject reported =
        world.updateStatus(
            Kinds.JOB,
            job.withStatus(Tree.of("active", 1))
                .with(List.of("spec", "parallelism"), 5)
                .withLabel("from", "status"));
    ApiObject updated =
        world.update(Kinds.JOB, reported.withStatus(Tree.of("active", 9)).withLabel("a", "b"));

    assertThat(reported.spec()).isEqualTo(job.spec());
    assertThat(reported.label("from")).as("metadata of built-in kinds is kept").isEqualTo("status");
    assertThat(updated.status()).isEqualTo(Tree.of("active", 1));
  }

  @Test
  void aPodsStatusWriteKeepsItsOwnersAndItsQuality() {
    ApiObject pod = world.create(Kinds.POD, Samples.pod("p"));
    ApiObject owner = world.create(Kinds.CONFIG_MAP, Samples.configMap("o"));

    ApiObject reported =
        world.updateStatus(
            Kinds.POD, pod.withStatus(Tree.of("phase", "Running")).controlledBy(owner));

    assertThat(reported.owners()).isEmpty();
    assertThat(reported.status()).isEqualTo(Tree.of("phase", "Running", "qosClass", "BestEffort"));
  }

  @Test
  void deletionMarksCannotBeTouchedAndFinalizersOnlyRemovedWhileDeleting() {
    ApiObject held =
        world.create(
            Kinds.CONFIG_MAP,
            new ApiObject(Samples.configMap("a")).withFinalizer("example.com/a").tree());
    ApiObject marked = world.delete(Kinds.CONFIG_MAP, "a").object();

    ApiObject updated =
        world.update(
            Kinds.CONFIG_MAP,
            marked
                .withoutMetadata("deletionTimestamp")
                .withoutMetadata("deletionGracePeriodSeconds")
                .withLabel("a", "b"));
    ApiFailure added =
        refused(
            Reason.INVALID,
            () -> world.update(Kinds.CONFIG_MAP, updated.withFinalizer("example.com/b")));

    assertThat(held.isDeleting()).isFalse();
    assertThat(updated.isDeleting()).isTrue();
    assertThat(fields(added)).containsExactly("metadata.finalizers");
    assertThat(added.causes().getFirst().reason()).isEqualTo("FieldValueForbidden");
  }

  @Test
  void aDryRunOfAnUpdateLeavesNoTrace() {
    ApiObject created = world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));

    ApiObject shown =
        world.registry.update(
            world.served(Kinds.CONFIG_MAP),
            "default",
            "a",
            "",
            created.withLabel("a", "b").tree(),
            world.options(true, FieldValidation.WARN));

    assertThat(shown.label("a")).isEqualTo("b");
    assertThat(world.get(Kinds.CONFIG_MAP, "a")).isEqualTo(created);
  }

  @Test
  void aSubresourceThatAKindDoesNotHaveIsNotFound() {
    ApiObject created = world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));

    refused(Reason.NOT_FOUND, () -> world.updateStatus(Kinds.CONFIG_MAP, created));
  }
}
