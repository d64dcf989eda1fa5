package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RequiresKubectl;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Jobs as users write them, on the local node, and their events when they cannot run. */
@Timeout(180)
@RequiresKubectl
@EnabledOnOs(OS.LINUX)
class LocalJobsIT {
  private static final String WHOLE =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: words}
      data: {GREETING: hello, text: from a file}
      ---
      apiVersion: v1
      kind: Secret
      metadata: {name: keys}
      stringData: {PASS: open}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: whole}
      spec:
        completionMode: Indexed
        completions: 1
        template:
          metadata: {labels: {color: blue}}
          spec:
            restartPolicy: Never
            volumes:
            - {name: work, emptyDir: {}}
            - {name: words, configMap: {name: words}}
            initContainers:
            - {name: first, image: b, command: [sh, -c, "echo first >/work/log"], volumeMounts: &w [{name: work, mountPath: /work}]}
            - {name: side, image: b, restartPolicy: Always, command: [sh, -c, "echo side >>/work/log; sleep 1000"], volumeMounts: *w, startupProbe: {exec: {command: [grep, side, /work/log]}, periodSeconds: 1}}
            containers:
            - name: main
              image: b
              command: [sh, -c, "cat /work/log /words/text; echo; echo $GREETING $(PASS) $COLOR $CPU $JOB_COMPLETION_INDEX; pwd"]
              workingDir: /usr
              resources: {limits: {cpu: "1"}}
              envFrom: [{configMapRef: {name: words}}, {secretRef: {name: keys}}]
              env:
              - {name: COLOR, valueFrom: {fieldRef: {fieldPath: "metadata.labels['color']"}}}
              - {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 1m}}}
              volumeMounts: [{name: work, mountPath: /work}, {name: words, mountPath: /words/text, subPath: text}]
      """;

  private static final String BROKEN =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: missing}
      spec:
        backoffLimit: 0
        template:
          spec:
            restartPolicy: Never
            containers: [{name: main, image: b, command: [no-such-program]}]
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: unmounted}
      spec:
        template:
          spec:
            restartPolicy: Never
            volumes: [{name: v, configMap: {name: nowhere}}]
            containers: [{name: main, image: b, command: [ls], volumeMounts: [{name: v, mountPath: /v}]}]
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: refused}
      spec:
        backoffLimit: 0
        template:
          spec:
            restartPolicy: Never
            containers: [{name: main, image: b, command: [id], securityContext: {privileged: true}}]
      """;

  @TempDir private Path directory;

  @Test
  void aJobFindsEverythingThatItAsksFor() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      kubectl().apply(WHOLE);

      kubectl().run("wait", "--for=condition=Complete", "--timeout=50s", "job/whole").orFail();

      assertThat(kubectl().run("logs", "job/whole", "-c", "main").orFail())
          .isEqualTo("first\nside\nfrom a file\nhello open blue 1000 0\n/usr\n");
    }
  }

  @Test
  void whatCannotRunSaysWhyWherePeopleLook() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      kubectl().apply(BROKEN);

      awaitDescription("missing", "executable file not found on this machine");
      awaitDescription("unmounted", "FailedMount");
      awaitDescription("refused", "a process gets no privileges");
      assertThat(kubectl().run("logs", "job/refused").error())
          .contains("has never run: spec.containers[0].securityContext.privileged");
      assertThat(kubectl().run("logs", "job/unmounted").error())
          .contains("is waiting to start: ContainerCreating");
    }
  }

  private void awaitDescription(String job, String words) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> describe(job), description -> description.contains(words));
  }

  private String describe(String job) {
    return kubectl().run("describe", "pod", "-l", "job-name=" + job).orFail();
  }

  @Test
  void afterAPowerCutAJobIsDoneByAnotherPod() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      kubectl()
          .run("create", "job", "goes-on", "--image=b", "--", "sh", "-c", "sleep 3; echo done")
          .orFail();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> pods("{.items[*].status.phase}").equals("Running"));
      sluice.kill();
    }
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();

      kubectl().run("wait", "--for=condition=Complete", "--timeout=55s", "job/goes-on").orFail();

      assertThat(pods("{.items[*].status.phase}").split(" ", -1))
          .containsExactlyInAnyOrder("Failed", "Succeeded");
      assertThat(pods("{.items[?(@.status.phase==\"Failed\")].status.containerStatuses[0]}"))
          .contains("ContainerStatusUnknown");
    }
  }

  private String pods(String path) {
    return kubectl().read("pods", path);
  }

  private SluiceProcess up() {
    return SluiceProcess.up(directory);
  }

  private Kubectl kubectl() {
    return Kubectl.with(directory.resolve("kubeconfig"));
  }
}
