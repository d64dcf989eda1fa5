package dev.sluice.apiserver.registry.rules.batch;

import static dev.sluice.apiserver.registry.Samples.jobWith;
import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import org.junit.jupiter.api.Test;

/** Jobs: defaults, generated labels, warnings, and what is kept. */
class JobTest {
  private final World world = new World();

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
    assertThat(world.create(Kinds.JOB, jobWith("{parallelism: 3}")).spec().has("completions"))
        .isFalse();
  }

  @Test
  void aChosenSelectorIsKept() {
    ApiObject job =
        world.create(
            Kinds.JOB,
            jobWith(
                "{manualSelector: true, selector: {matchLabels: {a: b}}, template: {metadata:"
                    + " {labels: {a: b}}}}"));

    assertThat(job.spec().tree("selector", "matchLabels")).isEqualTo(Tree.of("a", "b"));
    assertThat(job.labels()).containsOnlyKeys("a");
  }

  @Test
  void aNewJobBringsNoStatus() {
    Tree told = Samples.job("j").with("status", World.yaml("{active: 3}"));

    assertThat(world.create(Kinds.JOB, told).status()).isEqualTo(Tree.EMPTY);
  }

  @Test
  void aGeneratedNameIsInTheGeneratedLabels() {
    ApiObject job = new ApiObject(Samples.job("j")).withoutMetadata("name");
    ApiObject created = world.create(Kinds.JOB, job.withMetadata("generateName", "j-").tree());

    assertThat(created.spec().text("template", "metadata", "labels", "job-name"))
        .isEqualTo(created.name())
        .matches("j-[bcdfghjklmnpqrstvwxz2456789]{5}");
  }

  @Test
  void everyFieldOfAGoodJobIsKept() {
    String spec =
        """
        completionMode: Indexed
        completions: 5
        parallelism: 2
        activeDeadlineSeconds: 0
        ttlSecondsAfterFinished: 0
        backoffLimitPerIndex: 1
        maxFailedIndexes: 2
        successPolicy:
          rules: [{succeededIndexes: "0,2-4", succeededCount: 2}]
        podFailurePolicy:
          rules:
          - {action: FailIndex, onExitCodes: {containerName: main, operator: NotIn, values: [0, 3]}}
          - {action: Ignore, onPodConditions: [{type: DisruptionTarget}]}
        """;
    Tree kept = world.create(Kinds.JOB, jobWith(spec)).spec();

    assertThat(kept.whole("backoffLimit")).hasValue(Integer.MAX_VALUE);
    assertThat(kept.text("podReplacementPolicy")).isEqualTo("Failed");
    assertThat(kept.trees("podFailurePolicy", "rules").get(1).trees("onPodConditions"))
        .containsExactly(Tree.of("type", "DisruptionTarget", "status", "True"));
    assertThat(kept.tree("successPolicy"))
        .isEqualTo(World.yaml("rules: [{succeededIndexes: '0,2-4', succeededCount: 2}]"));
  }

  @Test
  void warnsOfIndexesThatMayNotFitTheStatus() {
    world.create(
        Kinds.JOB, jobWith("{completionMode: Indexed, completions: 100001, parallelism: 10001}"));

    assertThat(world.warnings.getLast()).startsWith("spec: In Indexed Jobs with a number of");
  }

  @Test
  void aLongNameDoesNotFitItsLabels() {
    ApiFailure failure =
        refused(Reason.INVALID, () -> world.create(Kinds.JOB, Samples.job("j".repeat(70))));

    assertThat(fields(failure)).contains("spec.template.labels");
    world.create(Kinds.JOB, Samples.job("a.b"));
    assertThat(world.warnings.getLast()).startsWith("metadata.name: this is used in Pod names");
  }
}
