package dev.sluice.apiserver.registry;

import static dev.sluice.apiserver.registry.World.grace;
import static dev.sluice.apiserver.registry.World.propagation;
import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion.Propagation;
import dev.sluice.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Deletion in one step and in two. */
class DeletionTest {
  private final World world = new World();

  @Test
  void whatNothingHoldsIsGoneAtOnceInOneRevision() {
    world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));
    var changes = world.changes(Kinds.CONFIG_MAP);

    Registry.Deleted deleted = world.delete(Kinds.CONFIG_MAP, "a");

    assertThat(deleted.gone()).isTrue();
    assertThat(changes).singleElement().matches(change -> change.after().isEmpty());
    assertThat(deleted.object().resourceVersion())
        .isEqualTo(Long.toString(changes.getFirst().revision()));
    refused(Reason.NOT_FOUND, () -> world.delete(Kinds.CONFIG_MAP, "a"));
  }

  @Test
  void aFinalizerHoldsAnObjectUntilItIsRemoved() {
    ApiObject job =
        world.create(
            Kinds.JOB, new ApiObject(Samples.job("j")).withFinalizer("example.com/hold").tree());
    var changes = world.changes(Kinds.JOB);

    Registry.Deleted deleted = world.delete(Kinds.JOB, "j", propagation(Propagation.BACKGROUND));
    ApiObject marked = deleted.object();
    Registry.Deleted again = world.delete(Kinds.JOB, "j", propagation(Propagation.BACKGROUND));
    ApiObject freed =
        world.update(Kinds.JOB, marked.withoutFinalizer("example.com/hold").withLabel("a", "b"));

    assertThat(deleted.gone()).isFalse();
    assertThat(marked.deleted()).contains(World.START);
    assertThat(marked.tree().whole("metadata", "deletionGracePeriodSeconds")).hasValue(0);
    assertThat(marked.generation()).isEqualTo(job.generation() + 1);
    assertThat(again.object()).as("deleting twice changes nothing").isEqualTo(marked);
    assertThat(freed.label("a")).as("the answer is what was sent").isEqualTo("b");
    assertThat(world.find(Kinds.JOB, "j")).isEmpty();
    assertThat(changes).hasSize(2);
  }

  /** How a job is deleted, and the finalizers that it has then. */
  record Case(String name, List<String> before, Optional<Propagation> asked, List<String> after) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> PROPAGATIONS =
      List.of(
          new Case(
              "a job's pods are orphaned by default",
              List.of(),
              Optional.empty(),
              List.of("orphan")),
          new Case(
              "what is asked for wins",
              List.of("orphan", "example.com/x"),
              Optional.of(Propagation.FOREGROUND),
              List.of("example.com/x", "foregroundDeletion")),
          new Case(
              "what is there wins over the default",
              List.of("foregroundDeletion"),
              Optional.empty(),
              List.of("foregroundDeletion")),
          new Case(
              "background adds nothing",
              List.of("orphan", "example.com/x"),
              Optional.of(Propagation.BACKGROUND),
              List.of("example.com/x")));

  @ParameterizedTest
  @FieldSource("PROPAGATIONS")
  void propagates(Case c) {
    ApiObject job = new ApiObject(Samples.job("j"));
    world.create(
        Kinds.JOB,
        c.before().isEmpty() ? job.tree() : job.withMetadata("finalizers", c.before()).tree());

    var request =
        new DeleteRequest(
            OptionalLong.empty(), c.asked(), Optional.empty(), Optional.empty(), false);
    Registry.Deleted deleted = world.delete(Kinds.JOB, "j", request);

    assertThat(deleted.object().finalizers()).isEqualTo(c.after());
    assertThat(deleted.gone()).isFalse();
  }

  @Test
  void otherKindsLetTheirDependentsGoAfterThem() {
    world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));
    world.create(Kinds.CONFIG_MAP, Samples.configMap("b"));

    assertThat(world.delete(Kinds.CONFIG_MAP, "a").gone()).isTrue();
    assertThat(world.delete(Kinds.CONFIG_MAP, "b", propagation(Propagation.FOREGROUND)).object())
        .matches(object -> object.hasFinalizer("foregroundDeletion"));
  }

  @Test
  void preconditionsAreChecked() {
    ApiObject job = world.create(Kinds.JOB, Samples.job("j"));
    ApiFailure uid =
        refused(Reason.CONFLICT, () -> world.delete(Kinds.JOB, "j", requiring("other", "")));
    refused(Reason.CONFLICT, () -> world.delete(Kinds.JOB, "j", requiring("", "1")));

    assertThat(uid.kind()).isEqualTo("Job");
    assertThat(uid.message())
        .isEqualTo(
            "Operation cannot be fulfilled on Job.batch \"j\": Precondition failed: UID in"
                + " precondition: other, UID in object meta: "
                + job.uid());
    world.delete(Kinds.JOB, "j", requiring(job.uid(), job.resourceVersion()));
    assertThat(world.get(Kinds.JOB, "j").isDeleting()).isTrue();
  }

  private static DeleteRequest requiring(String uid, String revision) {
    return new DeleteRequest(
        OptionalLong.empty(),
        Optional.empty(),
        Optional.of(uid).filter(text -> !text.isEmpty()),
        Optional.of(revision).filter(text -> !text.isEmpty()),
        false);
  }

  @Test
  void aDryRunDeletesNothing() {
    world.create(Kinds.POD, Samples.pod("p"));
    var dry =
        new DeleteRequest(
            OptionalLong.empty(), Optional.empty(), Optional.empty(), Optional.empty(), true);

    assertThat(world.delete(Kinds.POD, "p", dry).gone()).isTrue();
    assertThat(world.get(Kinds.POD, "p").isDeleting()).isFalse();
  }

  @Test
  void aPodOnNoNodeIsMarkedAndRemoved() {
    world.create(Kinds.POD, Samples.pod("p"));
    var changes = world.changes(Kinds.POD);

    assertThat(world.delete(Kinds.POD, "p").gone()).isTrue();

    assertThat(changes).hasSize(2);
    assertThat(changes.getFirst().after().orElseThrow().isDeleting()).isTrue();
    assertThat(changes.getLast().after()).isEmpty();
  }

  @Test
  void aPodThatAControllerRemovesOnceItIsMarkedIsDeletedForItsClientToo() {
    var beside = new World(new FastCollectorStore(Stores.inMemory()));
    ApiObject pod = beside.create(Kinds.POD, Samples.pod("p"));

    Registry.Deleted deleted = beside.delete(Kinds.POD, "p");

    assertThat(deleted.gone()).isTrue();
    assertThat(deleted.object().isDeleting()).isTrue();
    assertThat(deleted.object().uid()).isEqualTo(pod.uid());
    assertThat(beside.find(Kinds.POD, "p")).isEmpty();
  }

  @Test
  void aPodOnANodeGetsItsGraceWhichCanOnlyShrink() {
    world.create(Kinds.POD, podOnNode("Running"));

    ApiObject marked = world.delete(Kinds.POD, "p").object();
    world.pass(Duration.ofSeconds(10));
    ApiObject longer = world.delete(Kinds.POD, "p", grace(60)).object();
    ApiObject shorter = world.delete(Kinds.POD, "p", grace(25)).object();
    ApiObject shortest = world.delete(Kinds.POD, "p", grace(1)).object();

    assertThat(marked.deleted()).contains(World.START.plusSeconds(30));
    assertThat(longer).isEqualTo(marked);
    assertThat(shorter.deleted()).contains(World.START.plusSeconds(25));
    assertThat(shortest.deleted()).as("never in the past").contains(World.START.plusSeconds(10));
    assertThat(shortest.generation()).as("counted once").isEqualTo(2);
    assertThat(world.delete(Kinds.POD, "p", grace(0)).gone()).isTrue();
    assertThat(world.find(Kinds.POD, "p")).isEmpty();
  }

  @Test
  void aGraceBelowNothingIsASecond() {
    world.create(Kinds.POD, podOnNode("Running"));

    ApiObject marked = world.delete(Kinds.POD, "p", grace(-7)).object();

    assertThat(marked.tree().whole("metadata", "deletionGracePeriodSeconds")).hasValue(1);
    assertThat(marked.deleted()).contains(World.START.plusSeconds(1));
  }

  @Test
  void aFinalizerOutlivesThePodsGrace() {
    Tree held = new ApiObject(podOnNode("Running")).withFinalizer("example.com/x").tree();
    world.create(Kinds.POD, held);

    ApiObject marked = world.delete(Kinds.POD, "p").object();
    ApiObject freed = world.update(Kinds.POD, marked.withoutFinalizer("example.com/x"));
    assertThat(world.find(Kinds.POD, "p")).as("its grace holds it").contains(freed);

    assertThat(world.delete(Kinds.POD, "p", grace(0)).gone()).isTrue();
  }

  @Test
  void aFinishedPodNeedsNoGrace() {
    ApiObject pod = world.create(Kinds.POD, podOnNode("Running"));
    world.updateStatus(Kinds.POD, pod.with(List.of("status", "phase"), "Failed"));

    assertThat(world.delete(Kinds.POD, "p").gone()).isTrue();
  }

  private static Tree podOnNode(String phase) {
    return Samples.pod("p")
        .with(List.of("spec", "nodeName"), "node-1")
        .with("status", Tree.of("phase", phase));
  }

  @Test
  void aNamespaceGoesWhenItsSpecNamesNoFinalizer() {
    ApiObject created =
        world.create(Kinds.NAMESPACE, "{apiVersion: v1, kind: Namespace, metadata: {name: n}}");

    ApiObject marked = world.delete(Kinds.NAMESPACE, "n").object();
    ApiObject kept = world.update(Kinds.NAMESPACE, marked.withSpec(Tree.EMPTY));
    assertThat(kept.tree().textItems("spec", "finalizers")).containsExactly("kubernetes");
    world.put(Kinds.NAMESPACE, kept.withSpec(Tree.EMPTY), "finalize");

    assertThat(created.status()).isEqualTo(Tree.of("phase", "Active"));
    assertThat(created.label("kubernetes.io/metadata.name")).isEqualTo("n");
    assertThat(marked.status().text("phase")).isEqualTo("Terminating");
    assertThat(world.store.snapshot().get(Kinds.NAMESPACE.key("n"))).isEmpty();
  }

  static final List<String> PERMANENT =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  @ParameterizedTest
  @FieldSource("PERMANENT")
  void theNamespacesOfTheClusterStay(String name) {
    ResourceKind namespaces = Kinds.NAMESPACE;
    assertThat(world.store.snapshot().get(namespaces.key(name))).isPresent();

    ApiFailure failure = refused(Reason.FORBIDDEN, () -> world.delete(namespaces, name));

    assertThat(failure.message())
        .isEqualTo(
            "namespaces \"%s\" is forbidden: this namespace may not be deleted".formatted(name));
  }

  @Test
  void startingAgainCreatesNothingTwice() {
    long before = world.store.snapshot().revision();

    world.registry.bootstrap();

    assertThat(world.store.snapshot().revision()).isEqualTo(before);
  }
}
