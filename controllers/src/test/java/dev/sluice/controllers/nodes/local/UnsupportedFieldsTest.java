package dev.sluice.controllers.nodes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.nodes.local.fields.FieldRule.Treatment;
import dev.sluice.controllers.nodes.local.fields.FieldRules;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.testkit.Worlds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class UnsupportedFieldsTest {
  private static final String NOTHING = "";

  record Case(long user, String spec, String want) {
    Case(String spec, String want) {
      this(1000, spec, want);
    }

    @Override
    public String toString() {
      return spec;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("hostNetwork: true", NOTHING),
          new Case("hostPID: false, hostIPC: false, hostUsers: true", NOTHING),
          new Case("hostPID: true", "spec.hostPID: Unsupported value: true: "),
          new Case("hostIPC: true", "spec.hostIPC: Unsupported value: true: "),
          new Case("hostUsers: false", "spec.hostUsers: Unsupported value: false: "),
          new Case("dnsPolicy: ClusterFirst, dnsConfig: {}", NOTHING),
          new Case("dnsPolicy: None", "spec.dnsPolicy: Unsupported value: \"None\": "),
          new Case("hostAliases: [{ip: 1.2.3.4, hostnames: [a]}]", "spec.hostAliases: "),
          new Case("runtimeClassName: gvisor", "spec.runtimeClassName: "),
          new Case("resourceClaims: [{name: gpu}]", "spec.resourceClaims: "),
          new Case("ephemeralContainers: [{name: debug}]", "spec.ephemeralContainers: "),
          new Case("resources: {limits: {cpu: 1}}", "spec.resources.limits: "),
          new Case("resources: {requests: {cpu: 1}}", NOTHING),
          new Case("os: {name: windows}", "spec.os.name: Unsupported value: \"windows\": "),
          new Case("novelty: 1", "spec.novelty: the local node does not know this field; "),
          new Case("securityContext: {}", NOTHING),
          new Case("securityContext: {runAsUser: 1000, runAsNonRoot: true}", NOTHING),
          new Case("securityContext: {runAsUser: 7}", "spec.securityContext.runAsUser: "),
          new Case(0, "securityContext: {runAsNonRoot: true}", "spec.securityContext.runAsNonRoot"),
          new Case("securityContext: {fsGroup: 7}", "spec.securityContext.fsGroup: "),
          new Case("securityContext: {seccompProfile: {type: Unconfined}}", NOTHING),
          new Case(
              "securityContext: {seccompProfile: {type: RuntimeDefault}}",
              "spec.securityContext.seccompProfile.type: "),
          new Case("securityContext: {sysctls: [{name: a, value: b}]}", "spec.securityContext.sy"),
          container("securityContext: {privileged: true}", "securityContext.privileged: "),
          container("securityContext: {privileged: false, capabilities: {drop: [ALL]}}", NOTHING),
          container(
              "securityContext: {capabilities: {add: [SYS_ADMIN]}}",
              "securityContext.capabilities.add: "),
          container("securityContext: {allowPrivilegeEscalation: false}", NOTHING),
          container("securityContext: {procMount: Unmasked}", "securityContext.procMount: "),
          container(
              "securityContext: {readOnlyRootFilesystem: true}",
              "securityContext.readOnlyRootFilesystem: "),
          container("volumeDevices: [{name: d, devicePath: /d}]", "volumeDevices: "),
          container("ports: [{containerPort: 80, hostPort: 80, name: web}]", NOTHING),
          container(
              "ports: [{containerPort: 80}, {containerPort: 80, hostPort: 8080}]", "ports[1]"),
          container("resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}]", NOTHING),
          container("resources: {claims: [{name: gpu}]}", "resources.claims: "),
          container("lifecycle: {postStart: {sleep: {seconds: 1}}}", NOTHING),
          container("lifecycle: {preStop: {httpGet: {port: 1}}}", NOTHING),
          container("lifecycle: {preStop: {tcpSocket: {port: 1}}}", "lifecycle.preStop.tcpSocket"),
          container("lifecycle: {stopSignal: SIGINT}", NOTHING),
          container(
              "lifecycle: {stopSignal: SIGLOST}",
              "lifecycle.stopSignal: Unsupported value: \"SIGLOST\": "),
          container(
              "livenessProbe: {httpGet: {port: 80, scheme: HTTPS, httpHeaders: [{name: A, value:"
                  + " b}]}}",
              NOTHING),
          container("startupProbe: {grpc: {port: 80}}", NOTHING),
          container(
              "env: [{name: A, valueFrom: {fileKeyRef: {volumeName: v, path: p, key: a}}}]",
              NOTHING),
          container("restartPolicyRules: [{action: RestartAllContainers}]", NOTHING),
          container("restartPolicyRules: [{action: Ignore}]", "restartPolicyRules[0]"),
          container("stdin: true, tty: true, terminationMessagePath: /a", NOTHING),
          volume("emptyDir: {medium: Memory, sizeLimit: 1Gi}", NOTHING),
          volume("emptyDir: {medium: HugePages}", "emptyDir.medium: "),
          volume("hostPath: {path: /tmp, type: Directory}", NOTHING),
          volume("hostPath: {path: /dev/sda, type: BlockDevice}", "hostPath.type: "),
          volume("persistentVolumeClaim: {claimName: c}", "persistentVolumeClaim: "),
          volume("nfs: {server: a, path: /b}", "nfs: "),
          volume("projected: {sources: [{configMap: {name: c}}]}", NOTHING),
          volume(
              "projected: {sources: [{serviceAccountToken: {path: t}}]}",
              "projected.sources[0].serviceAccountToken: "));

  private static Case container(String fields, String want) {
    return new Case(
        "initContainers: [{name: i, image: b, command: [a], %s}]".formatted(fields),
        want.isEmpty() ? NOTHING : "spec.initContainers[0]." + want);
  }

  private static Case volume(String fields, String want) {
    return new Case(
        "volumes: [{name: v, %s}]".formatted(fields),
        want.isEmpty() ? NOTHING : "spec.volumes[0]." + want);
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void refuses(Case c) {
    String refusal = refusal(c.user(), c.spec() + ", containers: [{name: m, command: [a]}]");

    if (c.want().isEmpty()) {
      assertThat(refusal).isEmpty();
    } else {
      assertThat(refusal).startsWith(c.want()).containsAnyOf("run the pod on another node");
    }
  }

  @Test
  void aContainerNeedsACommand() {
    assertThat(refusal(1000, "containers: [{name: m, image: b}]"))
        .startsWith("spec.containers[0].command: Required value")
        .contains("images are not pulled: give the container a command");
  }

  private static String refusal(long user, String spec) {
    var machine = new LocalMachine("local", "", "", user, 1000, Tree.EMPTY, new TreeMap<>());
    var pod =
        new Pod(
            Worlds.yaml(
                "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {%s}}".formatted(spec)));
    return new UnsupportedFields(machine).of(pod).orElse(NOTHING);
  }

  @Test
  void everyRefusalNamesAWayOut() {
    assertThat(new FieldRules(0, 0).all().values())
        .filteredOn(rule -> rule.treatment() == Treatment.REFUSED)
        .isNotEmpty()
        .allSatisfy(rule -> assertThat(rule.wayOut()).isNotEmpty());
  }

  @Test
  void thePageForUsersRepeatsTheTable() throws IOException {
    var fields = new LinkedHashMap<String, String>();
    new FieldRules(0, 0)
        .all()
        .forEach((field, rule) ->
            fields.merge(
                rule.description(), "`" + field + "`", (some, more) -> some + ", " + more));
    String table =
        fields.entrySet().stream()
            .map(row -> "| %s | %s |".formatted(row.getValue(), row.getKey()))
            .collect(Collectors.joining("\n", "| field | the local node |\n|---|---|\n", "\n"));

    assertThat(Files.readString(Path.of("../docs/local-node.md"))).contains(table);
  }
}
