package dev.sluice.apiserver.registry.rules.batch;

import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What may change of a job, and when. */
class JobUpdateTest {
  private final World world = new World();

  private static Tree job(String spec) {
    return MergePatch.apply(Samples.job("j"), Tree.of("spec", World.yaml(spec)));
  }

  /** A change of a job of five indexes, three at once, and what is refused. */
  record Scale(String change, String refused) {}

  static final List<Scale> SCALES =
      List.of(
          new Scale("{completions: 7, parallelism: 7}", ""),
          new Scale("{completions: 2, parallelism: 2}", ""),
          new Scale("{parallelism: 4}", ""),
          new Scale("{maxFailedIndexes: 3}", ""),
          new Scale("{podReplacementPolicy: Failed}", ""),
          new Scale("{completions: 7}", "spec.completions"),
          new Scale("{completions: null}", "spec.completions"),
          new Scale("{completionMode: NonIndexed}", "spec.completionMode"),
          new Scale("{backoffLimitPerIndex: 2}", "spec.backoffLimitPerIndex"));

  @ParameterizedTest
  @FieldSource("SCALES")
  void anIndexedJobScales(Scale c) {
    world.create(
        Kinds.JOB,
        job("{completionMode: Indexed, completions: 5, parallelism: 3, backoffLimitPerIndex: 1}"));
    Tree change = Tree.of("spec", World.yaml(c.change()));

    if (c.refused().isEmpty()) {
      world.merge(Kinds.JOB, "j", change);
    } else {
      ApiFailure failure = refused(Reason.INVALID, () -> world.merge(Kinds.JOB, "j", change));
      assertThat(fields(failure)).contains(c.refused());
    }
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
          new Update(
              "deadline and time after the end",
              false,
              "{activeDeadlineSeconds: 0, ttlSecondsAfterFinished: 0}",
              ""),
          new Update("replacement", false, "{podReplacementPolicy: Failed}", ""),
          new Update("manual selector", false, "{manualSelector: true}", ""),
          new Update(
              "selector", false, "{selector: {matchLabels: {job-name: j}}}", "spec.selector"),
          new Update(
              "failure rules",
              false,
              "{podReplacementPolicy: Failed, podFailurePolicy: {rules: []}}",
              "spec.podFailurePolicy"),
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
              "pod affinity",
              true,
              "{template: {spec: {affinity: {podAffinity:"
                  + " {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: t}]}}}}}",
              "spec.template.spec"),
          new Update(
              "the name of a container",
              true,
              GPU.replace("name: main", "name: other"),
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
      ApiObject updated = world.merge(Kinds.JOB, "j", change);
      assertThat(updated.generation()).isEqualTo(2);
    } else {
      ApiFailure failure = refused(Reason.INVALID, () -> world.merge(Kinds.JOB, "j", change));
      assertThat(fields(failure)).containsExactly(c.refused());
    }
  }

  private static final String STARTED = "startTime: '2026-01-01T00:00:00Z'";
  private static final String HELD = "conditions: [{type: Suspended, status: 'True'}]";

  /** The status of a suspended job, and whether its template may change. */
  record Held(String status, boolean free) {}

  static final List<Held> HELD_JOBS =
      List.of(
          new Held("{active: 1}", false),
          new Held("{terminating: 1}", true),
          new Held("{" + STARTED + "}", false),
          new Held("{" + STARTED + ", " + HELD + "}", true),
          new Held("{" + STARTED + ", " + HELD + ", active: 1}", false));

  @ParameterizedTest
  @FieldSource("HELD_JOBS")
  void theTemplateOfASuspendedJobChangesOnceNothingOfItRuns(Held c) {
    ApiObject job = world.create(Kinds.JOB, job("{suspend: true}"));
    world.updateStatus(Kinds.JOB, job.withStatus(World.yaml(c.status())));
    Tree change = World.yaml("{spec: {template: {spec: {nodeSelector: {a: b}}}}}");

    if (c.free()) {
      ApiObject updated = world.merge(Kinds.JOB, "j", change);
      assertThat(updated.spec().text("template", "spec", "nodeSelector", "a")).isEqualTo("b");
    } else {
      ApiFailure failure = refused(Reason.INVALID, () -> world.merge(Kinds.JOB, "j", change));
      assertThat(fields(failure)).containsExactly("spec.template");
    }
  }
}
