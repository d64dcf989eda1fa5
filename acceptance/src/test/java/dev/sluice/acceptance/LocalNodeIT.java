package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RequiresKubectl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The real command with the real kubectl and real processes. */
@Timeout(180)
@RequiresKubectl
@EnabledOnOs(OS.LINUX)
class LocalNodeIT {
  private static final String JOB =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: words}
      data: {GREETING: hello}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: greets}
      spec:
        template:
          spec:
            restartPolicy: Never
            containers:
            - name: main
              image: busybox
              command: [sh, -c, "echo $GREETING $(WHO)"]
              env: [{name: WHO, value: world}]
              envFrom: [{configMapRef: {name: words}}]
      """;

  @TempDir private Path directory;

  @Test
  void aJobReallyRuns() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      kubectl().apply(JOB);

      kubectl().run("wait", "--for=condition=Complete", "--timeout=30s", "job/greets").orFail();

      assertThat(kubectl().run("logs", "job/greets").orFail()).isEqualTo("hello world\n");
      assertThat(kubectl().run("get", "node", "local", "-o", "name").orFail())
          .isEqualTo("node/local\n");
      assertThat(sluice.terminate().exitCode()).isZero();
    }
  }

  @Test
  void exitCodesAndMissingCommandsAreTold() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      run("fails", "sh", "-c", "echo before; exit 7");
      run("missing", "no-such-program");
      kubectl().run("run", "none", "--image=busybox", "--restart=Never").orFail();

      awaitPhase("fails", "Failed");
      assertThat(status("fails", "{.status.containerStatuses[0].state.terminated.exitCode}"))
          .isEqualTo("7");
      assertThat(kubectl().run("logs", "fails").orFail()).isEqualTo("before\n");
      awaitPhase("missing", "Failed");
      assertThat(status("missing", "{.status.containerStatuses[0].state.terminated.message}"))
          .contains("\"no-such-program\": executable file not found");
      awaitPhase("none", "Failed");
      assertThat(status("none", "{.status.message}")).contains("give the container a command");
    }
  }

  @Test
  void processThatIgnoresTheTermSignalIsKilled() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      // Two dollar signs are one by the time the shell sees them, as in every container.
      run("stubborn", "sh", "-c", "trap '' TERM; echo $$$$; while :; do sleep 1; done");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> kubectl().run("logs", "stubborn").output().endsWith("\n"));
      long pid = Long.parseLong(kubectl().run("logs", "stubborn").orFail().strip());

      kubectl().run("delete", "pod", "stubborn", "--grace-period=1", "--timeout=30s").orFail();

      // the reaper of orphans may need some time
      await().atMost(Duration.ofSeconds(10)).until(() -> ProcessHandle.of(pid).isEmpty());
    }
  }

  @Test
  void processesOfAServerThatWasKilledAreEndedByTheNext() {
    long pid;
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      run("long", "sh", "-c", "echo $$$$; exec sleep 1000");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> kubectl().run("logs", "long").output().endsWith("\n"));
      pid = Long.parseLong(kubectl().run("logs", "long").orFail().strip());
      sluice.kill();
    }
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();

      awaitPhase("long", "Failed");

      // the reaper of orphans may need some time
      await().atMost(Duration.ofSeconds(10)).until(() -> ProcessHandle.of(pid).isEmpty());
      assertThat(status("long", "{.status.containerStatuses[0].state.terminated.reason}"))
          .isEqualTo("ContainerStatusUnknown");
    }
  }

  @Test
  void aCleanRestartStartsContainersAgain() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      kubectl().run("run", "stays", "--image=busybox", "--command", "--", "sleep", "1000").orFail();
      kubectl().run("wait", "pod/stays", "--for=condition=Ready", "--timeout=30s").orFail();
      List<ProcessHandle> started = sluice.started();
      assertThat(started).isNotEmpty();
      assertThat(sluice.terminate().exitCode()).isZero();
      assertThat(started).as("nothing outlives it").noneMatch(ProcessHandle::isAlive);
    }
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();

      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> status("stays", "{.status.containerStatuses[0].restartCount}").equals("1"));

      kubectl().run("wait", "pod/stays", "--for=condition=Ready", "--timeout=30s").orFail();
      assertThat(status("stays", "{.status.containerStatuses[0].lastState.terminated.exitCode}"))
          .isEqualTo("143");
    }
  }

  @Test
  void withoutTheNodeNothingRuns() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      sluice.terminate();
    }
    try (SluiceProcess sluice = up("--no-local-node")) {
      sluice.readyLine();

      assertThat(kubectl().run("get", "nodes", "-o", "name").orFail()).isEmpty();
    }
  }

  private void run(String pod, String... command) {
    var arguments =
        new ArrayList<>(
            List.of("run", pod, "--image=busybox", "--restart=Never", "--command", "--"));
    arguments.addAll(List.of(command));
    kubectl().run(arguments.toArray(String[]::new)).orFail();
  }

  private void awaitPhase(String pod, String phase) {
    kubectl()
        .run("wait", "pod/" + pod, "--for=jsonpath={.status.phase}=" + phase, "--timeout=30s")
        .orFail();
  }

  private String status(String pod, String path) {
    return kubectl().read("pod/" + pod, path);
  }

  private SluiceProcess up(String... more) {
    return SluiceProcess.up(directory, more);
  }

  private Kubectl kubectl() {
    return Kubectl.with(directory.resolve("kubeconfig"));
  }
}
