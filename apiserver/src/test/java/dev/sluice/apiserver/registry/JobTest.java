package dev.sluice.apiserver.registry;

import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Jobs: defaults, generated labels, what is refused, and what may change when. */
class JobTest {
  private final World world = new World();

  private static Tree job(String spec) {
    return MergePatch.apply(Samples.job("j"), Tree.of("spec", World.yaml(spec)));
  }

  @Test
  void defaultsAndGeneratedLabels() {
    ApiObject job = world.create(Kinds.JOB, Samples.job("j"));
    Tree spec = job.spec();

    assertThat(spec.without("template").without("selector"))
        .isEqualTo(
            World.yaml(
                """
                parallelism: 1
                completions: 1
                backoffLimit: 6
                completionMode: NonIndexed
                suspend: false
                manualSelector: false
                podReplacementPolicy: TerminatingOrFailed
                """));
    Tree labels =
        Tree.of(
            "batch.kubernetes.io/controller-uid",
            job.uid(),
            "batch.kubernetes.io/job-name",
            "j",
            "controller-uid",
            job.uid(),
            "job-name",
            "j");
    assertThat(spec.tree("template", "metadata", "labels")).isEqualTo(labels);
    assertThat(spec.tree("selector"))
        .isEqualTo(
            Tree.of("matchLabels", Tree.of("batch.kubernetes.io/controller-uid", job.uid())));
    assertThat(job.tree().tree("metadata", "labels")).isEqualTo(labels);
    assertThat(spec.whole("template", "spec", "terminationGracePeriodSeconds")).hasValue(30);
    assertThat(spec.tree("template", "spec").has("enableServiceLinks"))
        .as("a default of pods, not of templates")
        .isFalse();
  }

  @Test
  void aJobWithALabelOfItsOwnGetsNoneOfTheTemplates() {
    ApiObject job =
        world.create(Kinds.JOB, new ApiObject(Samples.job("j")).withLabel("a", "b").tree());

    assertThat(job.labels()).containsOnlyKeys("a");
  }

  @Test
  void onlyParallelismLeavesCompletionsOpen() {
    assertThat(world.create(Kinds.JOB, job("{parallelism: 3}")).spec().has("completions"))
        .isFalse();
  }

  @Test
  void aChosenSelectorIsKept() {
    ApiObject job =
        world.create(
            Kinds.JOB,
            job(
                "{manualSelector: true, selector: {matchLabels: {a: b}}, template: {metadata:"
                    + " {labels: {a: b}}}}"));

    assertThat(job.spec().tree("selector", "matchLabels")).isEqualTo(Tree.of("a", "b"));
    assertThat(job.labels()).containsOnlyKeys("a");
  }

  /** A change of a good job's spec, and what is refused for it. */
  record Bad(String spec, String field, String says) {}

  static final List<Bad> BAD =
      List.of(
          new Bad("{parallelism: -1}", "spec.parallelism", "greater than or equal to 0"),
          new Bad("{completions: -1}", "spec.completions", "greater than or equal to 0"),
          new Bad("{backoffLimit: -1}", "spec.backoffLimit", "greater than or equal to 0"),
          new Bad("{completionMode: Odd}", "spec.completionMode", "Unsupported value"),
          new Bad("{completionMode: Indexed}", "spec.completionMode", "does not support"),
          new Bad("{backoffLimitPerIndex: 1}", "spec.backoffLimitPerIndex", "does not support"),
          new Bad("{maxFailedIndexes: 1}", "spec.maxFailedIndexes", "does not support"),
          new Bad("{successPolicy: {rules: []}}", "spec.successPolicy", "does not support"),
          new Bad("{activeDeadlineSeconds: 5}", "spec.activeDeadlineSeconds", "does not support"),
          new Bad(
              "{ttlSecondsAfterFinished: 5}", "spec.ttlSecondsAfterFinished", "does not support"),
          new Bad(
              "{podReplacementPolicy: Failed}", "spec.podReplacementPolicy", "does not support"),
          new Bad("{managedBy: me}", "spec.managedBy", "acme.io/foo"),
          new Bad(
              "{template: {spec: {restartPolicy: Always}}}",
              "spec.template.spec.restartPolicy",
              "Required value: valid values: \"OnFailure\", \"Never\""),
          new Bad(
              "{template: {spec: {containers: []}}}",
              "spec.template.spec.containers",
              "Required value"),
          new Bad(
              "{selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}}}",
              "spec.selector",
              "`selector` not auto-generated"),
          new Bad(
              "{template: {metadata: {labels: {job-name: other}}}}",
              "spec.template.metadata.labels[job-name]",
              "must be 'j'"),
          new Bad("{manualSelector: true}", "spec.selector", "Required value"),
          new Bad(
              "{manualSelector: true, selector: {matchLabels: {a: b}}}",
              "spec.template.metadata.labels",
              "does not match template"));

  @ParameterizedTest
  @FieldSource("BAD")
  void refuses(Bad c) {
    ApiFailure failure = refused(Reason.INVALID, () -> world.create(Kinds.JOB, job(c.spec())));

    assertThat(fields(failure)).containsExactly(c.field());
    assertThat(failure.causes().getFirst().message()).contains(c.says());
    assertThat(failure.message()).startsWith("Job.batch \"j\" is invalid: ");
  }

  @Test
  void podFailurePoliciesAreRefusedWithWhatTheyImply() {
    ApiFailure failure =
        refused(
            Reason.INVALID, () -> world.create(Kinds.JOB, job("{podFailurePolicy: {rules: []}}")));

    assertThat(fields(failure))
        .containsExactly("spec.podFailurePolicy", "spec.podReplacementPolicy");
  }

  @Test
  void aLongNameDoesNotFitItsLabels() {
    ApiFailure failure =
        refused(Reason.INVALID, () -> world.create(Kinds.JOB, Samples.job("j".repeat(70))));

    assertThat(fields(failure)).contains("spec.template.labels");
    world.create(Kinds.JOB, Samples.job("a.b"));
    assertThat(world.warnings.getLast()).startsWith("metadata.name: this is used in Pod names");
  }

  /** What may change of a job: at any time, or only while it is suspended. */
  record Update(String name, boolean suspended, String change, String refused) {
    @Override
    public String toString() {
      return name + (suspended ? " while suspended" : "");
    }
  }

  private static final String GPU =
      "{template: {spec: {containers: [{name: main, image: 'busybox:1.36', imagePullPolicy:"
          + " IfNotPresent, terminationMessagePath: /dev/termination-log,"
          + " terminationMessagePolicy: File, resources: {limits: {cpu: 2}}}]}}}";
  private static final String AFFINITY =
      "{template: {spec: {affinity: {nodeAffinity:"
          + " {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference:"
          + " {matchExpressions: [{key: a, operator: Exists}]}}]}}}}}";

  static final List<Update> UPDATES =
      List.of(
          new Update("parallelism", false, "{parallelism: 2}", ""),
          new Update("suspend", false, "{suspend: true}", ""),
          new Update("backoff limit", false, "{backoffLimit: 2}", ""),
          new Update("completions", false, "{completions: 2}", "spec.completions"),
          new Update("managed by", false, "{managedBy: a.io/b}", "spec.managedBy"),
          new Update(
              "node selector",
              false,
              "{template: {spec: {nodeSelector: {a: b}}}}",
              "spec.template"),
          new Update("node selector", true, "{template: {spec: {nodeSelector: {a: b}}}}", ""),
          new Update(
              "editing and resuming",
              true,
              "{suspend: false, template: {spec: {nodeSelector: {a: b}}}}",
              ""),
          new Update(
              "suspending and editing",
              false,
              "{suspend: true, template: {spec: {nodeSelector: {a: b}}}}",
              "spec.template"),
          new Update(
              "tolerations",
              true,
              "{template: {spec: {tolerations: [{key: a, operator: Exists}]}}}",
              ""),
          new Update("gates", true, "{template: {spec: {schedulingGates: [{name: a}]}}}", ""),
          new Update("node affinity", true, AFFINITY, ""),
          new Update("labels", true, "{template: {metadata: {labels: {x: y}}}}", ""),
          new Update("annotations", true, "{template: {metadata: {annotations: {x: y}}}}", ""),
          new Update("resources", true, GPU, ""),
          new Update("resources", false, GPU, "spec.template"),
          new Update(
              "an image", true, GPU.replace("busybox:1.36", "busybox:1.37"), "spec.template.spec"),
          new Update(
              "a priority class",
              true,
              "{template: {spec: {priorityClassName: high}}}",
              "spec.template.spec"),
          new Update(
              "a generated label",
              true,
              "{template: {metadata: {labels: {job-name: x}}}}",
              "spec.template.metadata.labels[job-name]"));

  @ParameterizedTest
  @FieldSource("UPDATES")
  void updates(Update c) {
    world.create(Kinds.JOB, job("{suspend: %s}".formatted(c.suspended())));
    Tree change = Tree.of("spec", World.yaml(c.change()));

    if (c.refused().isEmpty()) {
      ApiObject updated = world.patch(Kinds.JOB, "j", tree -> MergePatch.apply(tree, change));
      assertThat(updated.generation()).isEqualTo(2);
    } else {
      ApiFailure failure =
          refused(
              Reason.INVALID,
              () -> world.patch(Kinds.JOB, "j", tree -> MergePatch.apply(tree, change)));
      assertThat(fields(failure)).containsExactly(c.refused());
    }
  }

  @Test
  void aSuspendedJobWhosePodsStillRunKeepsItsTemplate() {
    ApiObject job = world.create(Kinds.JOB, job("{suspend: true}"));
    world.updateStatus(Kinds.JOB, job.withStatus(Tree.of("active", 1)));
    Tree change = World.yaml("{spec: {template: {spec: {nodeSelector: {a: b}}}}}");

    ApiFailure failure =
        refused(
            Reason.INVALID,
            () -> world.patch(Kinds.JOB, "j", tree -> MergePatch.apply(tree, change)));

    assertThat(fields(failure)).containsExactly("spec.template");
  }
}
