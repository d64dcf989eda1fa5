package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import java.time.Duration;
import java.util.List;

/** What a user sees of examples/first-thread.yaml, in any world that kubectl can talk to. */
final class FirstThread {
  static final String SCENARIO =
      SluiceProcess.repository().resolve("examples/first-thread.yaml").toString();

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String RESERVED = "Quota reserved in ClusterQueue research";
  private static final String WAITS =
      "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor"
          + " simulated, 2 more needed";

  private final Kubectl kubectl;

  FirstThread(Kubectl kubectl) {
    this.kubectl = kubectl;
  }

  void holds() {
    kubectl.run("apply", "-f", SCENARIO).orFail();

    await().atMost(PATIENCE).untilAsserted(this::twoAreAdmittedAndOneSaysWhatIsMissing);
    String waiting = suspendedJob();
    kubectl.run("wait", "--for=condition=Complete", "--timeout=50s", "jobs", "--all").orFail();

    await().atMost(PATIENCE).untilAsserted(this::allWorkloadsAreFinished);
    assertThat(kubectl.read("job/" + waiting, "{.status.startTime}"))
        .as("start of the job that waited")
        .isGreaterThanOrEqualTo(earliestEnd());
    assertThat(kubectl.read("pods", "{.items[*].spec.nodeName}")).contains("simulated-");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(kubectl.read("clusterqueue/research", "{.status.admittedWorkloads}"))
                .isEqualTo("0"));
  }

  private void twoAreAdmittedAndOneSaysWhatIsMissing() {
    assertThat(workloads("{.status.conditions[?(@.type==\"Admitted\")].status}"))
        .containsExactlyInAnyOrder("True", "True", "");
    assertThat(workloads("{.status.conditions[?(@.type==\"QuotaReserved\")].message}"))
        .containsExactlyInAnyOrder(RESERVED, RESERVED, WAITS);
  }

  private void allWorkloadsAreFinished() {
    assertThat(workloads("{.status.conditions[?(@.type==\"Admitted\")].status}"))
        .containsExactly("True", "True", "True");
    assertThat(workloads("{.status.conditions[?(@.type==\"Finished\")].reason}"))
        .containsExactly("Succeeded", "Succeeded", "Succeeded");
  }

  private String suspendedJob() {
    List<String> suspended =
        kubectl.readEach("jobs", "{.metadata.name}={.spec.suspend}").stream()
            .filter(job -> job.endsWith("=true"))
            .toList();
    assertThat(suspended).hasSize(1);
    return suspended.getFirst().replace("=true", "");
  }

  private String earliestEnd() {
    return kubectl.readEach("jobs", "{.status.completionTime}").stream()
        .sorted()
        .toList()
        .getFirst();
  }

  private List<String> workloads(String path) {
    return kubectl.readEach("workloads", path);
  }
}
