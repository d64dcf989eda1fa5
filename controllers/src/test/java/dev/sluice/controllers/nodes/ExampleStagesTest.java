package dev.sluice.controllers.nodes;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.job;
import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.pods;
import static dev.sluice.testkit.Worlds.reasons;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stages that we give users as examples, played as they are. */
@Timeout(30)
class ExampleStagesTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  @BeforeEach
  void start() throws IOException {
    SimulatedNodeSpec.parse("1:cpu=4")
        .nodes("a", List.of())
        .forEach(node -> cluster.create(Kinds.NODE, node));
    apply("pod-general.yaml");
    driver = driver(cluster, 3, Stages.players(cluster));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void apply(String file) throws IOException {
    String yaml = Files.readString(Path.of("../examples/kwok", file));
    var rules = new StageRules(cluster);
    for (var document : Yaml.parseAll(yaml)) {
      ApiObject stage = ApiObject.of(document);
      rules.checkCreate(stage);
      cluster.create(Kinds.STAGE, stage);
    }
  }

  private static Tree withInit(Tree spec) {
    return spec.with(
            List.of("template", "spec", "tolerations"), List.of(Tree.of("operator", "Exists")))
        .with(
            List.of("template", "spec", "initContainers"),
            List.of(Tree.of("name", "prepare", "image", "busybox")));
  }

  @Test
  void aPodOfAJobTakesItsTimeThroughAllStages() {
    var seen = new ArrayList<String>();
    cluster.watch(
        Kinds.POD,
        event -> {
          Tree status = event.object().status();
          String state =
              String.join(
                  " ",
                  status.text("phase"),
                  String.join(
                      ",",
                      status.trees("initContainerStatuses").stream()
                          .map(ExampleStagesTest::state)
                          .toList()),
                  String.join(
                      ",",
                      status.trees("containerStatuses").stream()
                          .map(ExampleStagesTest::state)
                          .toList()));
          if (!state.isBlank() && (seen.isEmpty() || !seen.getLast().equals(state))) {
            seen.add(state);
          }
        });
    cluster.create(Kinds.JOB, job("j", ExampleStagesTest::withInit));
    pass(driver, cluster, Duration.ofMinutes(1));

    assertThat(seen)
        .containsSubsequence(
            "Pending waiting waiting",
            "Pending running waiting",
            "Pending terminated waiting",
            "Running terminated running",
            "Succeeded terminated terminated");
    assertThat(reasons(cluster, pods(cluster).getFirst().name())).contains("Created");
    JobStatus status = job(cluster, "j").status();
    assertThat(status.holds(JobStatus.COMPLETE)).isTrue();
    assertThat(Duration.between(status.started().orElseThrow(), status.completed().orElseThrow()))
        .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(26));
  }

  private static String state(Tree container) {
    return container.tree("state").names().getFirst();
  }

  @Test
  void aPodFailsOnDemand() throws IOException {
    apply("pod-chaos.yaml");
    String stage = "pod-container-running-failed.stage.kwok.x-k8s.io";
    cluster.create(
        Kinds.POD,
        dev.sluice.testkit.Worlds.yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: p
              namespace: default
              labels: {%s: "true"}
              annotations: {%s/exit-code: "137", %s/reason: OOMKilled}
            spec: {nodeName: simulated-a-0, containers: [{name: a, image: i}]}
            status: {phase: Pending}
            """
                .formatted(stage, stage, stage)));
    pass(driver, cluster, Duration.ofSeconds(12));

    Pod pod = pods(cluster).getFirst();
    assertThat(pod.phase()).isEqualTo(Pod.Phase.FAILED);
    Tree how =
        pod.status().tree().trees("containerStatuses").getFirst().tree("state", "terminated");
    assertThat(how.whole("exitCode")).hasValue(137);
    assertThat(how.text("reason")).isEqualTo("OOMKilled");
  }
}
