package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.testkit.Kubectl;
import java.time.Duration;
import java.time.Instant;

/** What a user sees of examples/first-thread.yaml, in any world that kubectl can talk to. */
final class FirstThread {
  private static final String SCENARIO =
      SluiceProcess.repository().resolve("examples/first-thread.yaml").toString();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Kubectl kubectl;

  FirstThread(Kubectl kubectl) {
    this.kubectl = kubectl;
  }

  void holds() {
    kubectl.run("apply", "-f", SCENARIO).orFail();

    await().atMost(PATIENCE).untilAsserted(this::twoAreAdmittedAndTheThirdSaysWhatIsMissing);
    assertThat(status("job/third", "{.spec.suspend}")).isEqualTo("true");
    kubectl
        .run("wait", "--for=condition=Complete", "--timeout=50s", "job/first", "job/second", "job/third")
        .orFail();
    await().atMost(PATIENCE).untilAsserted(this::allWorkloadsAreFinished);

    Instant firstEnded = Instant.parse(status("job/first", "{.status.completionTime}"));
    Instant thirdStarted = Instant.parse(status("job/third", "{.status.startTime}"));
    assertThat(thirdStarted).isAfterOrEqualTo(firstEnded);
    assertThat(kubectl.run("get", "pods", "-o", "jsonpath={.items[*].spec.nodeName}").orFail())
        .contains("simulated-");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(status("clusterqueue/research", "{.status.admittedWorkloads} {.status.pendingWorkloads}"))
                    .isEqualTo("0 0"));
  }

  private void twoAreAdmittedAndTheThirdSaysWhatIsMissing() {
    assertThat(condition("first", "Admitted", "status")).isEqualTo("True");
    assertThat(condition("second", "Admitted", "status")).isEqualTo("True");
    assertThat(condition("third", "QuotaReserved", "status")).isEqualTo("False");
    assertThat(condition("third", "QuotaReserved", "message"))
        .isEqualTo(
            "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor"
                + " simulated, 2 more needed");
  }

  private void allWorkloadsAreFinished() {
    for (String job : new String[] {"first", "second", "third"}) {
      assertThat(condition(job, "Admitted", "status")).isEqualTo("True");
      assertThat(condition(job, "Finished", "status")).isEqualTo("True");
      assertThat(condition(job, "Finished", "reason")).isEqualTo("Succeeded");
    }
  }

  /** A field of a condition of the workload of a job. */
  private String condition(String job, String type, String field) {
    return kubectl
        .run(
            "get",
            "workloads",
            "-l",
            "kueue.x-k8s.io/job-uid=" + status("job/" + job, "{.metadata.uid}"),
            "-o",
            "jsonpath={.items[0].status.conditions[?(@.type==\"%s\")].%s}".formatted(type, field))
        .output();
  }

  private String status(String object, String path) {
    return kubectl.run("get", object, "-o", "jsonpath=" + path).orFail();
  }
}
