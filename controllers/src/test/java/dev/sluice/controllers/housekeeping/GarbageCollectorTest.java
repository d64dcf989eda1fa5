package dev.sluice.controllers.housekeeping;

import static dev.sluice.testkit.Worlds.driver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.Event;
import dev.sluice.model.core.Ownership;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.Deletion.Propagation;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes with its owners, and when. */
@Timeout(30)
class GarbageCollectorTest {
  private static final List<ResourceKind> KINDS =
      List.of(Kinds.JOB, Kinds.POD, Kinds.CONFIG_MAP, Kinds.NODE, Kinds.LEASE, Kinds.EVENT);

  private final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  @BeforeEach
  void start() {
    driver = driver(cluster, 1, List.of(new GarbageCollector(cluster, KINDS)));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private ApiObject add(ResourceKind kind, String name, Tree... references) {
    ApiObject object = ApiObject.of(kind, "space", name);
    return cluster.create(
        kind,
        references.length == 0
            ? object
            : object.withMetadata("ownerReferences", List.of(references)));
  }

  private static Tree reference(ApiObject owner, boolean blocks) {
    return Tree.of(
        "apiVersion",
        owner.apiVersion(),
        "kind",
        owner.kind(),
        "name",
        owner.name(),
        "uid",
        owner.uid(),
        "blockOwnerDeletion",
        blocks);
  }

  private boolean isThere(ResourceKind kind, String name) {
    return cluster.get(key(kind, name)).isPresent();
  }

  private static ObjectKey key(ResourceKind kind, String name) {
    return kind.key("space", name);
  }

  private void delete(ResourceKind kind, ApiObject object, Propagation propagation) {
    cluster.delete(kind, object, new Deletion(propagation, OptionalLong.empty()));
  }

  @Test
  void inTheBackgroundDependentsGoAfterTheirOwnerLevelByLevel() {
    ApiObject job = add(Kinds.JOB, "j");
    ApiObject pod = add(Kinds.POD, "p", reference(job, true));
    add(Kinds.CONFIG_MAP, "c", reference(pod, true));
    driver.settle();
    assertThat(isThere(Kinds.CONFIG_MAP, "c")).isTrue();
    delete(Kinds.JOB, job, Propagation.BACKGROUND);
    driver.settle();

    assertThat(isThere(Kinds.JOB, "j")).isFalse();
    assertThat(isThere(Kinds.POD, "p")).isFalse();
    assertThat(isThere(Kinds.CONFIG_MAP, "c")).isFalse();
  }

  @Test
  void inTheForegroundTheOwnerWaitsForThoseThatBlockItOnly() {
    ApiObject job = add(Kinds.JOB, "j");
    add(Kinds.POD, "blocking", reference(job, true));
    add(Kinds.POD, "free", reference(job, false));
    for (String pod : List.of("blocking", "free")) {
      ApiObject held = cluster.require(key(Kinds.POD, pod)).withFinalizer("acme.io/hold");
      cluster.update(Kinds.POD, held);
    }
    driver.settle();
    delete(Kinds.JOB, job, Propagation.FOREGROUND);
    driver.settle();

    assertThat(isThere(Kinds.JOB, "j")).isTrue();
    assertThat(cluster.require(key(Kinds.POD, "blocking")).isDeleting()).isTrue();
    assertThat(cluster.require(key(Kinds.POD, "free")).isDeleting()).isTrue();

    ApiObject blocking = cluster.require(key(Kinds.POD, "blocking"));
    cluster.update(Kinds.POD, blocking.withoutFinalizer("acme.io/hold"));
    driver.settle();

    assertThat(isThere(Kinds.JOB, "j")).isFalse();
    assertThat(isThere(Kinds.POD, "free")).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"BACKGROUND", "FOREGROUND"})
  void whatComesWhenItsOwnerWaitsOrIsGoneGoesToo(Propagation propagation) {
    ApiObject job = add(Kinds.JOB, "j");
    ApiObject held = add(Kinds.POD, "held", reference(job, true));
    cluster.update(Kinds.POD, held.withFinalizer("acme.io/hold"));
    driver.settle();
    delete(Kinds.JOB, job, propagation);
    driver.settle();
    add(Kinds.POD, "late", reference(job, true));
    driver.settle();

    assertThat(isThere(Kinds.POD, "late")).isFalse();
    assertThat(isThere(Kinds.JOB, "j")).isEqualTo(propagation == Propagation.FOREGROUND);

    ApiObject free = cluster.require(key(Kinds.POD, "held")).withoutFinalizer("acme.io/hold");
    cluster.update(Kinds.POD, free);
    driver.settle();

    assertThat(isThere(Kinds.POD, "held")).isFalse();
    assertThat(isThere(Kinds.JOB, "j")).isFalse();
  }

  @Test
  void objectsThatOwnEachOtherDoNotWaitForEachOtherForever() {
    ApiObject job = add(Kinds.JOB, "j");
    ApiObject map = add(Kinds.CONFIG_MAP, "c", reference(job, true));
    cluster.update(
        Kinds.JOB,
        cluster
            .require(key(Kinds.JOB, "j"))
            .withMetadata("ownerReferences", List.of(reference(map, true))));
    driver.settle();
    delete(Kinds.JOB, cluster.require(key(Kinds.JOB, "j")), Propagation.FOREGROUND);
    driver.settle();

    assertThat(isThere(Kinds.JOB, "j")).isFalse();
    assertThat(isThere(Kinds.CONFIG_MAP, "c")).isFalse();
  }

  @Test
  void orphansLoseTheReferenceAndStay() {
    ApiObject job = add(Kinds.JOB, "j");
    add(Kinds.POD, "p", reference(job, true));
    driver.settle();
    delete(Kinds.JOB, job, Propagation.ORPHAN);
    driver.settle();

    assertThat(isThere(Kinds.JOB, "j")).isFalse();
    assertThat(cluster.require(key(Kinds.POD, "p")).owners()).isEmpty();
  }

  @Test
  void remainingOwnerSavesADependentWhichForgetsTheOthers() {
    ApiObject gone = add(Kinds.JOB, "gone");
    ApiObject stays = add(Kinds.JOB, "stays");
    add(Kinds.POD, "p", reference(gone, false), reference(stays, true));
    driver.settle();
    delete(Kinds.JOB, gone, Propagation.BACKGROUND);
    driver.settle();

    ApiObject pod = cluster.require(key(Kinds.POD, "p"));
    assertThat(pod.owners()).extracting(owner -> owner.name()).containsExactly("stays");
    assertThat(new Ownership(pod).blocks(stays.uid())).isTrue();
  }

  @Test
  void anotherObjectOfTheSameNameIsNotTheOwner() {
    ApiObject job = add(Kinds.JOB, "j");
    add(Kinds.POD, "p", reference(job, true));
    driver.settle();
    delete(Kinds.JOB, job, Propagation.BACKGROUND);
    add(Kinds.JOB, "j");
    driver.settle();

    assertThat(isThere(Kinds.JOB, "j")).isTrue();
    assertThat(isThere(Kinds.POD, "p")).isFalse();
  }

  @Test
  void anOwnerThatNeverWasOrLivesElsewhereCountsAsGone() {
    ApiObject elsewhere = cluster.create(Kinds.JOB, ApiObject.of(Kinds.JOB, "other-space", "j"));
    add(Kinds.POD, "p", reference(elsewhere, true));
    driver.settle();

    assertThat(isThere(Kinds.POD, "p")).isFalse();
    assertThat(messages("p"))
        .containsExactly(
            "OwnerRefInvalidNamespace: ownerRef [batch/v1/Job, namespace: space, name: j, uid: %s]"
                    .formatted(elsewhere.uid())
                + " does not exist in namespace \"space\"");

    add(Kinds.POD, "q", reference(elsewhere.withMetadata("uid", "never-was"), true));
    driver.settle();

    assertThat(isThere(Kinds.POD, "q")).isFalse();
    assertThat(messages("q")).isEmpty();
  }

  @Test
  void clusterScopedObjectCannotHaveANamespacedOwner() {
    ApiObject job = add(Kinds.JOB, "j");
    cluster.create(
        Kinds.NODE,
        ApiObject.of(Kinds.NODE, "", "n")
            .withMetadata("ownerReferences", List.of(reference(job, true))));
    driver.settle();

    assertThat(cluster.get(Kinds.NODE.key("n"))).isPresent();
    assertThat(messages("n"))
        .containsExactly(
            "OwnerRefInvalidNamespace: ownerRef [batch/v1/Job, namespace: , name: j, uid: %s]"
                    .formatted(job.uid())
                + " does not exist in namespace \"\"");
  }

  private List<String> messages(String object) {
    return cluster.list(Kinds.EVENT).stream()
        .map(Event::new)
        .filter(event -> event.object().tree().text("involvedObject", "name").equals(object))
        .map(event -> event.reason() + ": " + event.message())
        .toList();
  }

  @Test
  void ownerOfAnUnknownKindIsUndecided() {
    ApiObject unknown =
        ApiObject.of(Kinds.WORKLOAD, "space", "w").withMetadata("uid", "never-seen");
    add(Kinds.POD, "p", reference(unknown, true));
    driver.settle();

    assertThat(isThere(Kinds.POD, "p")).isTrue();
  }

  private static ApiObject definition(ResourceKind kind) {
    return ApiObject.of(Kinds.CUSTOM_RESOURCE_DEFINITION, "", kind.plural() + "." + kind.group())
        .withSpec(
            Tree.of(
                "group",
                kind.group(),
                "scope",
                "Namespaced",
                "names",
                Tree.of("kind", kind.kind(), "plural", kind.plural()),
                "versions",
                List.of(Tree.of("name", kind.version(), "served", true, "storage", true))));
  }

  private static final ResourceKind TRAIN =
      new ResourceKind("example.com", "v1", "Train", "trains", true);

  @ParameterizedTest
  @EnumSource(names = {"BACKGROUND", "FOREGROUND"})
  void objectsGoWithOwnersOfCustomKinds(Propagation propagation) {
    cluster.create(Kinds.CUSTOM_RESOURCE_DEFINITION, definition(TRAIN));
    ApiObject train = add(TRAIN, "t");
    ApiObject wagon = add(TRAIN, "wagon", reference(train, true));
    add(Kinds.POD, "p", reference(wagon, true));
    driver.settle();

    delete(TRAIN, train, propagation);
    driver.settle();

    assertThat(isThere(TRAIN, "t")).isFalse();
    assertThat(isThere(TRAIN, "wagon")).isFalse();
    assertThat(isThere(Kinds.POD, "p")).isFalse();
  }

  @Test
  void objectsWhoseOwnersAreOfAKindThatIsDefinedLaterAreLookedAtAgain() {
    ApiObject gone = ApiObject.of(TRAIN, "space", "t").withMetadata("uid", "gone");
    add(Kinds.POD, "p", reference(gone, true));
    driver.settle();
    assertThat(isThere(Kinds.POD, "p")).isTrue();

    cluster.create(Kinds.CUSTOM_RESOURCE_DEFINITION, definition(TRAIN));
    driver.settle();

    assertThat(isThere(Kinds.POD, "p")).isFalse();
  }

  @Test
  void deletedDefinitionTakesTheDependentsOfItsObjectsAlong() {
    ApiObject trains = cluster.create(Kinds.CUSTOM_RESOURCE_DEFINITION, definition(TRAIN));
    ApiObject train = add(TRAIN, "t");
    add(Kinds.POD, "p", reference(train, true));
    driver.settle();

    delete(Kinds.CUSTOM_RESOURCE_DEFINITION, trains, Propagation.BACKGROUND);
    delete(TRAIN, train, Propagation.BACKGROUND);
    driver.settle();

    assertThat(isThere(Kinds.POD, "p")).isFalse();
  }

  @Test
  void aNodeOwnsItsLease() {
    ApiObject node = cluster.create(Kinds.NODE, ApiObject.of(Kinds.NODE, "", "n"));
    add(Kinds.LEASE, "n", reference(node, false));
    driver.settle();
    delete(Kinds.NODE, node, Propagation.BACKGROUND);
    driver.settle();

    assertThat(isThere(Kinds.LEASE, "n")).isFalse();
  }
}
