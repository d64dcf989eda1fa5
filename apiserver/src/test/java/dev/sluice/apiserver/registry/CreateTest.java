package dev.sluice.apiserver.registry;

import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.WriteOptions.FieldValidation;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.AdmissionHook;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the server makes of what a client creates. */
class CreateTest {
  private final World world = new World();

  @Test
  void theServerSetsIdentityAndTimeWhateverTheClientSays() {
    Tree body =
        Samples.configMap("a")
            .with(
                "metadata",
                World.yaml(
                    """
                    name: a
                    uid: mine
                    creationTimestamp: "2000-01-01T00:00:00Z"
                    deletionTimestamp: "2000-01-01T00:00:00Z"
                    deletionGracePeriodSeconds: 3
                    selfLink: /a
                    generation: 5
                    labels: {}
                    """));

    ApiObject created = world.create(Kinds.CONFIG_MAP, body);

    assertThat(created.metadata().names())
        .containsExactly(
            "creationTimestamp", "generation", "name", "namespace", "resourceVersion", "uid");
    assertThat(created.uid()).matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-.*");
    assertThat(created.created()).contains(World.START);
    assertThat(created.generation()).as("kinds without generation keep it").isEqualTo(5);
    assertThat(world.get(Kinds.CONFIG_MAP, "a")).isEqualTo(created);
  }

  @Test
  void aCountedKindStartsAtGenerationOne() {
    Tree body = new ApiObject(Samples.pod("p")).withMetadata("generation", 7).tree();

    assertThat(world.create(Kinds.POD, body).generation()).isEqualTo(1);
  }

  @Test
  void theStatusOfANewObjectIsTheServersButForNodes() {
    Tree status = Tree.of("phase", "Running");
    ApiObject pod = world.create(Kinds.POD, Samples.pod("p").with("status", status));
    ApiObject job = world.create(Kinds.JOB, Samples.job("j").with("status", Tree.of("active", 3)));
    ApiObject node =
        world.create(
            Kinds.NODE,
            """
            apiVersion: v1
            kind: Node
            metadata: {name: n}
            status:
              capacity: {cpu: 1000m, memory: 1024Mi, pods: 110}
            """);

    assertThat(pod.status()).isEqualTo(Tree.of("phase", "Pending", "qosClass", "BestEffort"));
    assertThat(job.tree().at("status")).isEqualTo(Tree.EMPTY);
    assertThat(node.status().tree("capacity"))
        .isEqualTo(Tree.of("cpu", "1", "memory", "1Gi", "pods", "110"));
  }

  @Test
  void aGeneratedNameKeepsItsPrefixAndFits() {
    String prefix = "p".repeat(70) + "-";
    Tree body = Samples.configMap("x").with("metadata", Tree.of("generateName", prefix));

    ApiObject created = world.create(Kinds.CONFIG_MAP, body);

    assertThat(created.name()).matches("p{58}[bcdfghjklmnpqrstvwxz2456789]{5}");
    assertThat(created.tree().text("metadata", "generateName")).isEqualTo(prefix);
  }

  @Test
  void aTakenNameIsRefusedAndOneThatIsLeavingSaysSo() {
    ApiObject held = new ApiObject(Samples.configMap("a")).withFinalizer("example.com/hold");
    world.create(Kinds.CONFIG_MAP, held.tree());

    ApiFailure taken =
        refused(
            Reason.ALREADY_EXISTS, () -> world.create(Kinds.CONFIG_MAP, Samples.configMap("a")));
    world.delete(Kinds.CONFIG_MAP, "a");
    ApiFailure leaving =
        refused(
            Reason.ALREADY_EXISTS, () -> world.create(Kinds.CONFIG_MAP, Samples.configMap("a")));

    assertThat(taken.message()).isEqualTo("configmaps \"a\" already exists");
    assertThat(leaving.message())
        .isEqualTo("object is being deleted: configmaps \"a\" already exists");
    assertThat(leaving.kind()).isEqualTo("configmaps");
  }

  @Test
  void aDryRunLeavesNoTraceAndStillRefuses() {
    WriteOptions dry = world.options(true, FieldValidation.WARN);
    long before = world.store.snapshot().revision();

    ApiObject created = world.create(Kinds.CONFIG_MAP, Samples.configMap("a"), dry);
    refused(Reason.INVALID, () -> world.create(Kinds.CONFIG_MAP, Samples.configMap("UPPER"), dry));

    assertThat(created.resourceVersion()).isEmpty();
    assertThat(created.uid()).isNotEmpty();
    assertThat(world.store.snapshot().revision()).isEqualTo(before);
    world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));
    refused(
        Reason.ALREADY_EXISTS, () -> world.create(Kinds.CONFIG_MAP, Samples.configMap("a"), dry));
  }

  @Test
  void anObjectNeedsANamespaceThatIsThere() {
    ApiFailure missing =
        refused(
            Reason.NOT_FOUND,
            () ->
                world.registry.create(
                    world.served(Kinds.POD), "nowhere", Samples.pod("p"), world.options));

    assertThat(missing.message()).isEqualTo("namespaces \"nowhere\" not found");
    assertThat(missing.kind()).isEqualTo("namespaces");
  }

  @Test
  void aNamespaceThatIsLeavingTakesNothingNew() {
    world.create(Kinds.NAMESPACE, "{apiVersion: v1, kind: Namespace, metadata: {name: old}}");
    world.delete(Kinds.NAMESPACE, "old");

    ApiFailure refusal =
        refused(
            Reason.FORBIDDEN,
            () ->
                world.registry.create(
                    world.served(Kinds.POD), "old", Samples.pod("p"), world.options));

    assertThat(refusal.causes().getFirst().reason()).isEqualTo("NamespaceTerminating");
    assertThat(refusal.message())
        .isEqualTo(
            "pods \"p\" is forbidden: unable to create new content in namespace old because it is"
                + " being terminated");
  }

  @Test
  void anObjectOfMoreThanOneAndAHalfMebibytesIsRefused() {
    Tree annotations = Tree.of("data", "x".repeat(900_000));
    Tree body = Samples.widget("w").with("spec", Tree.of("size", 1));
    world.create(Kinds.CUSTOM_RESOURCE_DEFINITION, openDefinition());

    world.create(Samples.WIDGET, body.with("big", annotations));
    ApiFailure refusal =
        refused(
            Reason.REQUEST_ENTITY_TOO_LARGE,
            () ->
                world.create(
                    Samples.WIDGET,
                    new ApiObject(body)
                        .withMetadata("name", "w2")
                        .tree()
                        .with("big", annotations)
                        .with("bigger", annotations)));

    assertThat(refusal.message()).contains("at most 1572864");
  }

  private static Tree openDefinition() {
    Tree definition = Samples.widgetDefinition();
    Tree version =
        definition
            .tree("spec")
            .trees("versions")
            .getFirst()
            .with(
                List.of("schema", "openAPIV3Schema"),
                Tree.of("type", "object", "x-kubernetes-preserve-unknown-fields", true));
    return definition.with(List.of("spec", "versions"), List.of(version));
  }

  @Test
  void hooksChangeNewObjectsOfTheirKindBeforeTheyHaveAUid() {
    var hook =
        new AdmissionHook() {
          @Override
          public ResourceKind kind() {
            return Kinds.JOB;
          }

          @Override
          public ApiObject onCreate(ApiObject job) {
            return job.withLabel("seen-uid", job.uid() + "none")
                .with(List.of("spec", "suspend"), true);
          }
        };
    var hooked = new World(hook);

    ApiObject job = hooked.create(Kinds.JOB, Samples.job("j"));
    ApiObject pod = hooked.create(Kinds.POD, Samples.pod("p"));

    assertThat(job.label("seen-uid")).isEqualTo("none");
    assertThat(job.spec().flag("suspend")).isTrue();
    assertThat(pod.labels()).isEmpty();
  }

  @Test
  void theSameSeedGivesTheSameObjects() {
    assertThat(fingerprint(5)).isEqualTo(fingerprint(5)).isNotEqualTo(fingerprint(6));
  }

  private static String fingerprint(long seed) {
    var seeded = new World(seed);
    Tree body = Samples.job("x").with("metadata", Tree.of("generateName", "j-"));
    seeded.create(Kinds.JOB, body);
    seeded.create(Kinds.POD, Samples.pod("p"));
    var text = new StringBuilder();
    for (ServedKind kind : seeded.registry.kinds()) {
      seeded.store.snapshot().list(kind.kind()).forEach(text::append);
    }
    return text.toString();
  }

  @Test
  void anOwnerNamedTwiceIsKeptOnce() {
    ApiObject created =
        world.create(
            Kinds.CONFIG_MAP,
            """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: a
              ownerReferences:
              - {apiVersion: v1, kind: Pod, name: p, uid: u}
              - {apiVersion: v1, kind: Pod, name: p, uid: u}
            """);

    assertThat(created.owners()).hasSize(1);
    assertThat(world.warnings).hasSize(1);
  }

  @Test
  void unknownFieldsAreToldIgnoredOrRefused() {
    Tree body =
        Samples.job("j")
            .with(List.of("spec", "paralelism"), 3)
            .with(List.of("spec", "template", "spec", "colour"), "red");

    ApiObject warned = world.create(Kinds.JOB, body);
    ApiFailure strict =
        refused(
            Reason.BAD_REQUEST,
            () -> world.create(Kinds.JOB, body, world.options(false, FieldValidation.STRICT)));
    world.create(
        Kinds.JOB,
        new ApiObject(body).withMetadata("name", "k").tree(),
        world.options(false, FieldValidation.IGNORE));

    assertThat(warned.spec().has("paralelism")).isFalse();
    assertThat(world.warnings)
        .containsExactly(
            "unknown field \"spec.paralelism\"", "unknown field \"spec.template.spec.colour\"");
    assertThat(strict.message())
        .isEqualTo(
            "Job in version \"v1\" cannot be handled as a Job: strict decoding error: unknown field"
                + " \"spec.paralelism\", unknown field \"spec.template.spec.colour\"");
  }

  @Test
  void anObjectLikeTheOneBeforeIsReadAsCarefully() {
    world.create(Kinds.JOB, Samples.job("a"));
    Tree unknown = Samples.job("b").with(List.of("spec", "template", "spec", "colour"), "red");
    ApiObject pruned = world.create(Kinds.JOB, unknown);
    ApiFailure wrong =
        refused(
            Reason.BAD_REQUEST,
            () ->
                world.create(
                    Kinds.JOB,
                    Samples.job("c").with(List.of("spec", "template", "spec", "hostNetwork"), 1)));

    assertThat(pruned.spec().tree("template", "spec").has("colour")).isFalse();
    assertThat(world.warnings).containsExactly("unknown field \"spec.template.spec.colour\"");
    assertThat(wrong.message()).contains("spec.template.spec.hostNetwork");
  }
}
