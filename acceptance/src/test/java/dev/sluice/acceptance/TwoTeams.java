package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import java.time.Duration;
import java.util.List;

/**
 * What users see of examples/two-teams.yaml, in any world that kubectl can talk to: one team
 * borrows what the other leaves idle, and gives it back when it is needed.
 */
final class TwoTeams {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String USAGE = "{.status.flavorsUsage[0].resources[0].total}";
  private static final String PREEMPTED = "{.status.conditions[?(@.type==\"Preempted\")].reason}";

  private final Kubectl kubectl;

  TwoTeams(Kubectl kubectl) {
    this.kubectl = kubectl;
  }

  void share() {
    apply("two-teams.yaml");
    apply("team-a-jobs.yaml");
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(running("team-a")).hasSize(4));
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(kubectl.read("clusterqueues.kueue.x-k8s.io/team-a", USAGE)).isEqualTo("8"));

    apply("team-b-jobs.yaml");
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(running("team-b")).hasSize(2));
    assertThat(running("team-a")).hasSize(2);
    assertThat(kubectl.readEach("workloads", PREEMPTED))
        .filteredOn(reason -> !reason.isEmpty())
        .containsExactly("InCohortReclamation", "InCohortReclamation");

    kubectl.run("wait", "--for=condition=Complete", "--timeout=100s", "jobs", "--all").orFail();
    assertThat(kubectl.readEach("workloads", "{.status.requeueState.count}"))
        .allMatch(String::isEmpty);
  }

  private List<String> running(String team) {
    return kubectl.readEach("jobs", "{.metadata.name}={.spec.suspend}").stream()
        .filter(job -> job.startsWith(team) && job.endsWith("=false"))
        .toList();
  }

  private void apply(String example) {
    kubectl
        .run("apply", "-f", SluiceProcess.repository().resolve("examples/" + example).toString())
        .orFail();
  }
}
