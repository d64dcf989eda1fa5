package dev.sluice.apiserver.registry;

import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.cluster.EmbeddedCluster;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Hooks see every write of their kind, whoever writes, and see what is really replaced. */
class HookTest {
  private static final List<String> SUSPEND = List.of("spec", "suspend");

  private final List<String> calls = new ArrayList<>();

  private final AdmissionHook hook =
      new AdmissionHook() {
        @Override
        public ResourceKind kind() {
          return Kinds.JOB;
        }

        @Override
        public ApiObject onCreate(ApiObject job) {
          calls.add("onCreate");
          return job.withLabel("made", "yes");
        }

        @Override
        public ApiObject onUpdate(ApiObject before, ApiObject after) {
          calls.add("onUpdate");
          return after.withLabel("made", before.label("made"));
        }

        @Override
        public void checkCreate(ApiObject job) {
          calls.add("checkCreate " + job.label("made") + (job.uid().isEmpty() ? "" : " with uid"));
          refuseIf(job.label("bad").equals("create"), job, "create");
        }

        @Override
        public void checkUpdate(ApiObject before, ApiObject after) {
          calls.add("checkUpdate " + before.label("n") + "->" + after.label("n"));
          refuseIf(after.label("bad").equals("update"), after, "update");
        }

        @Override
        public void checkStatus(ApiObject before, ApiObject after) {
          calls.add("checkStatus");
          refuseIf(after.status().whole("active").orElse(0) == 7, after, "status");
        }

        @Override
        public List<String> warnings(ApiObject job) {
          return job.label("odd").isEmpty() ? List.of() : List.of("odd: " + job.label("odd"));
        }

        private void refuseIf(boolean bad, ApiObject job, String why) {
          if (bad) {
            throw ApiFailure.invalid(
                Kinds.JOB, job.name(), List.of(Cause.invalid("metadata.labels[bad]", why, "no")));
          }
        }
      };

  private final World world = new World(hook);
  private final Cluster cluster =
      new EmbeddedCluster(world.registry, world.store, world.time, new SplittableRandom(2));

  @Test
  void theyMayWarnOfWhatTheyAccept() {
    ApiObject job =
        world.create(Kinds.JOB, new ApiObject(Samples.job("j")).withLabel("odd", "a").tree());
    ApiObject plain = world.update(Kinds.JOB, job.without(List.of("metadata", "labels", "odd")));
    world.update(Kinds.JOB, plain.withLabel("odd", "b"));

    assertThat(world.warnings).containsExactly("odd: a", "odd: b");
  }

  @Test
  void theyCompleteAndThenJudge() {
    ApiObject job = world.create(Kinds.JOB, Samples.job("j"));
    ApiObject updated = world.update(Kinds.JOB, job.withLabel("n", "1").withLabel("made", "no"));
    world.patch(Kinds.JOB, "j", tree -> tree.with(List.of("metadata", "labels", "n"), "2"));
    world.updateStatus(Kinds.JOB, world.get(Kinds.JOB, "j").withStatus(Tree.of("active", 1)));
    world.delete(Kinds.JOB, "j");

    assertThat(updated.label("made")).isEqualTo("yes");
    assertThat(calls)
        .containsExactly(
            "onCreate",
            "checkCreate yes with uid",
            "onUpdate",
            "checkUpdate ->1",
            "onUpdate",
            "checkUpdate 1->2",
            "checkStatus");
  }

  @Test
  void theirRefusalsReachEveryWriterAndNothingIsStored() {
    Tree bad = new ApiObject(Samples.job("bad")).withLabel("bad", "create").tree();
    refused(Reason.INVALID, () -> world.create(Kinds.JOB, bad));
    ApiObject job = cluster.create(Kinds.JOB, inDefault(Samples.job("j")));

    refused(Reason.INVALID, () -> cluster.update(Kinds.JOB, job.withLabel("bad", "update")));
    refused(
        Reason.INVALID, () -> cluster.patchStatus(Kinds.JOB, job, job.status().with("active", 7)));
    refused(
        Reason.INVALID,
        () ->
            world.patch(
                Kinds.JOB, "j", tree -> tree.with(List.of("metadata", "labels", "bad"), "update")));

    assertThat(world.find(Kinds.JOB, "bad")).isEmpty();
    assertThat(world.get(Kinds.JOB, "j")).isEqualTo(job);
  }

  @Test
  void invalidObjectIsNotReviewed() {
    ApiObject job = world.create(Kinds.JOB, Samples.job("j"));
    calls.clear();

    refused(
        Reason.INVALID,
        () -> world.update(Kinds.JOB, job.with(List.of("spec", "parallelism"), -1)));

    assertThat(calls).containsExactly("onUpdate");
  }

  @Test
  void theyMayReadTheClusterTheyGuard() {
    world.registry.addHooks(
        List.of(
            new AdmissionHook() {
              @Override
              public ResourceKind kind() {
                return Kinds.JOB;
              }

              @Override
              public ApiObject onCreate(ApiObject job) {
                boolean paused = cluster.get(Kinds.CONFIG_MAP.key("default", "pause")).isPresent();
                return job.with(SUSPEND, paused);
              }
            }));

    ApiObject before = world.create(Kinds.JOB, Samples.job("a"));
    world.create(Kinds.CONFIG_MAP, Samples.configMap("pause"));
    ApiObject after = world.create(Kinds.JOB, Samples.job("b"));

    assertThat(before.spec().flag("suspend")).isFalse();
    assertThat(after.spec().flag("suspend")).isTrue();
  }

  @Test
  void aWriteThatLostARaceIsJudgedAgain() {
    world.create(Kinds.JOB, Samples.job("j"));
    calls.clear();
    List<String> label = List.of("metadata", "labels", "n");
    var raced = new boolean[1];

    world.patch(
        Kinds.JOB,
        "j",
        tree -> {
          if (!raced[0]) {
            raced[0] = true;
            world.patch(Kinds.JOB, "j", other -> other.with(label, "won"));
          }
          return tree.with(label, "mine");
        });

    assertThat(calls).contains("checkUpdate won->mine");
    assertThat(calls.getLast()).isEqualTo("checkUpdate won->mine");
  }

  private static ApiObject inDefault(Tree job) {
    return new ApiObject(job).withMetadata("namespace", "default");
  }
}
