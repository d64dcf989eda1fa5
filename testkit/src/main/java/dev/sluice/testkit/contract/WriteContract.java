package dev.sluice.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import org.junit.jupiter.api.Test;

/** The part of the {@link ClusterContract} that is about single writes and the reads after them. */
abstract class WriteContract extends ContractWorld {

  @Test
  void aCreatedObjectHasAnIdentityARevisionAndATime() {
    ApiObject created = cluster.create(Kinds.CONFIG_MAP, configMap("a", "1"));

    assertThat(created.uid()).isNotEmpty();
    assertThat(Long.parseLong(created.resourceVersion())).isPositive();
    assertThat(created.created()).isPresent();
    assertThat(created.path()).isEqualTo(namespace + "/a");
    assertThat(created.tree().texts("data")).containsEntry("value", "1");
  }

  @Test
  void whatIsWrittenIsReadAtOnce() {
    ApiObject created = cluster.create(Kinds.CONFIG_MAP, configMap("a", "1"));
    assertThat(cluster.get(key("a"))).contains(created);

    ApiObject updated = cluster.update(Kinds.CONFIG_MAP, withValue(created, "2"));
    assertThat(cluster.get(key("a"))).contains(updated);
    assertThat(updated.tree().texts("data")).containsEntry("value", "2");
    assertThat(updated.resourceVersion()).isNotEqualTo(created.resourceVersion());

    cluster.delete(Kinds.CONFIG_MAP, updated, Deletion.BACKGROUND);
    assertThat(cluster.get(key("a")).filter(object -> !object.isDeleting())).isEmpty();
    runUntil("the object is gone", () -> cluster.get(key("a")).isEmpty());
  }

  @Test
  void aServerChosenNameIsReadAtOnce() {
    ApiObject nameless =
        configMap("", "1").withoutMetadata("name").withMetadata("generateName", "any-");

    ApiObject created = cluster.create(Kinds.CONFIG_MAP, nameless);

    assertThat(created.name()).startsWith("any-").hasSizeGreaterThan("any-".length());
    assertThat(cluster.get(created.key(Kinds.CONFIG_MAP))).contains(created);
  }

  @Test
  void creatingTwiceIsRefused() {
    ApiObject first = cluster.create(Kinds.CONFIG_MAP, configMap("a", "1"));

    assertRefused(
        Reason.ALREADY_EXISTS, () -> cluster.create(Kinds.CONFIG_MAP, configMap("a", "2")));
    assertThat(cluster.get(key("a"))).contains(first);
  }

  @Test
  void creatingInANamespaceThatIsNotThereIsRefused() {
    ApiObject homeless = configMap("a", "1").withMetadata("namespace", "contract-nowhere");

    if (lacks().contains(Capability.CHECKED_NAMESPACES)) {
      assertThat(cluster.create(Kinds.CONFIG_MAP, homeless).uid()).isNotEmpty();
    } else {
      assertRefused(Reason.NOT_FOUND, () -> cluster.create(Kinds.CONFIG_MAP, homeless));
    }
  }

  @Test
  void whatIsNotThereCannotBeReadChangedOrDeleted() {
    ApiObject gone = cluster.create(Kinds.CONFIG_MAP, configMap("a", "1"));
    cluster.delete(Kinds.CONFIG_MAP, gone, Deletion.BACKGROUND);
    ApiObject goneJob = cluster.create(Kinds.JOB, job("j"));
    cluster.delete(Kinds.JOB, goneJob, Deletion.BACKGROUND);
    runUntil("both are gone", () -> cluster.get(goneJob.key(Kinds.JOB)).isEmpty());

    assertThat(cluster.get(key("a"))).isEmpty();
    assertThat(cluster.get(key("never"))).isEmpty();
    assertRefused(Reason.NOT_FOUND, () -> cluster.update(Kinds.CONFIG_MAP, withValue(gone, "2")));
    assertRefused(
        Reason.NOT_FOUND, () -> cluster.delete(Kinds.CONFIG_MAP, gone, Deletion.BACKGROUND));
    assertRefused(
        Reason.NOT_FOUND, () -> cluster.patchStatus(Kinds.JOB, goneJob, suspended("late")));
  }

  @Test
  void aWriteOfWhatWasSeenBeforeAnotherWriteIsRefused() {
    ApiObject seen = cluster.create(Kinds.CONFIG_MAP, configMap("a", "1"));
    ApiObject newer = cluster.update(Kinds.CONFIG_MAP, withValue(seen, "2"));
    ApiObject seenJob = cluster.create(Kinds.JOB, job("j"));
    ApiObject newerJob = cluster.update(Kinds.JOB, seenJob.withLabel("changed", "yes"));

    assertRefused(Reason.CONFLICT, () -> cluster.update(Kinds.CONFIG_MAP, withValue(seen, "3")));
    assertRefused(Reason.CONFLICT, () -> cluster.patchStatus(Kinds.JOB, seenJob, suspended("x")));
    assertThat(cluster.get(key("a"))).contains(newer);
    assertThat(cluster.get(newerJob.key(Kinds.JOB))).contains(newerJob);
  }

  @Test
  void onlyTheObjectThatWasSeenIsDeletedAtAnyRevision() {
    ApiObject first = cluster.create(Kinds.CONFIG_MAP, configMap("a", "1"));
    cluster.update(Kinds.CONFIG_MAP, withValue(first, "2"));
    cluster.delete(Kinds.CONFIG_MAP, first, Deletion.BACKGROUND);
    ApiObject second = cluster.create(Kinds.CONFIG_MAP, configMap("a", "3"));

    assertRefused(
        Reason.CONFLICT, () -> cluster.delete(Kinds.CONFIG_MAP, first, Deletion.BACKGROUND));
    assertThat(second.uid()).isNotEqualTo(first.uid());
    assertThat(cluster.get(key("a"))).contains(second);
  }

  @Test
  void aKindIsFoundByItsName() {
    assertThat(cluster.kind("v1", "Pod")).contains(Kinds.POD);
    assertThat(cluster.kind("batch/v1", "Job")).contains(Kinds.JOB);
    assertThat(cluster.kind("batch/v1", "Pod")).isEmpty();
    assertThat(cluster.kind("unknown.example/v1", "Thing")).isEmpty();
  }

  @Test
  void whatIsAppliedIsCreatedThenMergedAndWhatIsNoLongerSaidGoes() {
    ApiObject first = cluster.apply(Kinds.CONFIG_MAP, "", configMap("a", "1"));
    assertThat(cluster.get(key("a"))).contains(first);
    ApiObject labelled = cluster.update(Kinds.CONFIG_MAP, first.withLabel("mine", "yes"));

    ApiObject other =
        new ApiObject(labelled.tree().without("metadata").with("data", Tree.of("other", "2")))
            .withMetadata("name", "a")
            .withMetadata("namespace", namespace);
    ApiObject second = cluster.apply(Kinds.CONFIG_MAP, "", other);

    assertThat(cluster.get(key("a"))).contains(second);
    assertThat(second.tree().texts("data")).containsOnly(java.util.Map.entry("other", "2"));
    assertThat(second.label("mine")).isEqualTo("yes");
  }

  @Test
  void aStatusIsAppliedByItself() {
    ApiObject created = cluster.create(Kinds.JOB, job("j"));
    ApiObject wanted = ApiObject.of(Kinds.JOB, namespace, "j").withStatus(suspended("applied"));

    ApiObject applied = cluster.apply(Kinds.JOB, "status", wanted);

    assertThat(Condition.holds(applied.status(), "Suspended")).isTrue();
    assertThat(applied.spec()).isEqualTo(created.spec());
    assertThat(cluster.get(created.key(Kinds.JOB))).contains(applied);
  }

  @Test
  void anUpdateLeavesTheStatusAloneAndAStatusPatchEverythingElse() {
    ApiObject created = cluster.create(Kinds.JOB, job("j"));

    ApiObject patched = cluster.patchStatus(Kinds.JOB, created, suspended("first"));
    assertThat(Condition.holds(patched.status(), "Suspended")).isTrue();
    assertThat(patched.spec()).isEqualTo(created.spec());
    assertThat(patched.withMetadata("resourceVersion", "").metadata())
        .isEqualTo(created.withMetadata("resourceVersion", "").metadata());

    ApiObject updated =
        cluster.update(Kinds.JOB, patched.withLabel("a", "b").withStatus(suspended("ignored")));
    assertThat(updated.label("a")).isEqualTo("b");
    assertThat(updated.status()).isEqualTo(patched.status());
    assertThat(cluster.get(updated.key(Kinds.JOB))).contains(updated);
  }

  @Test
  void aStatusPatchTakesAwayWhatTheNewStatusLacks() {
    ApiObject created = cluster.create(Kinds.JOB, job("j"));
    ApiObject with = cluster.patchStatus(Kinds.JOB, created, suspended("x").with("ready", 0));

    ApiObject without = cluster.patchStatus(Kinds.JOB, with, with.status().without("conditions"));

    assertThat(without.status().has("conditions")).isFalse();
    assertThat(without.status().whole("ready")).hasValue(0);
  }

  @Test
  void writingWhatIsThereAlreadyMakesNoRevision() {
    ApiObject created = cluster.create(Kinds.CONFIG_MAP, configMap("a", "1"));
    ApiObject job = cluster.create(Kinds.JOB, job("j"));
    ApiObject patched = cluster.patchStatus(Kinds.JOB, job, suspended("x"));

    assertThat(cluster.update(Kinds.CONFIG_MAP, created)).isEqualTo(created);
    assertThat(cluster.patchStatus(Kinds.JOB, patched, patched.status())).isEqualTo(patched);
    assertThat(cluster.get(key("a"))).contains(created);
  }

  @Test
  void numbersAndNestedFieldsComeBackAsTheyWere() {
    Tree spec = job("j").spec().with("parallelism", 3).with("backoffLimit", 0);

    ApiObject created = cluster.create(Kinds.JOB, job("j").withSpec(spec));

    assertThat(created.spec().whole("parallelism")).hasValue(3);
    assertThat(created.spec().whole("backoffLimit")).hasValue(0);
    assertThat(created.spec().flag("suspend")).isTrue();
    assertThat(created.spec().tree("template", "spec").trees("containers").getFirst().text("image"))
        .isEqualTo("none");
  }

  @Test
  void aBindingPutsAPodOnANodeAtOnceUnlessThePodIsAnother() {
    ApiObject pod = cluster.create(Kinds.POD, pod("p"));
    ObjectKey podKey = pod.key(Kinds.POD);
    assertThat(cluster.get(podKey)).contains(pod);

    assertRefused(
        Reason.CONFLICT,
        () ->
            cluster.post(podKey, "binding", binding(pod.withMetadata("uid", "another"), "node-1")));
    cluster.post(podKey, "binding", binding(pod, "node-1"));

    assertThat(cluster.get(podKey).orElseThrow().spec().text("nodeName")).isEqualTo("node-1");
  }

  @Test
  void aNamespaceGoesOnceItsFinalizersAreTakenFromItByTheirSubresource() {
    ObjectKey key = Kinds.NAMESPACE.key(newNamespace());
    ApiObject created = cluster.get(key).orElseThrow();
    cluster.delete(Kinds.NAMESPACE, created, Deletion.BACKGROUND);
    ApiObject deleting = cluster.get(key).orElseThrow();
    assertThat(deleting.isDeleting()).isTrue();
    assertThat(deleting.spec().textItems("finalizers")).containsExactly("kubernetes");

    assertRefused(
        Reason.CONFLICT, () -> cluster.put(key, "finalize", created.withSpec(Tree.EMPTY)));
    cluster.put(key, "finalize", deleting.withSpec(Tree.EMPTY));

    runUntil("the namespace is gone", () -> cluster.get(key).isEmpty());
  }
}
