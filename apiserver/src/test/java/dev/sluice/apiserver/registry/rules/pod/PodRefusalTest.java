package dev.sluice.apiserver.registry.rules.pod;

import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Jobs whose templates are refused, and the fields that are to blame. */
class PodRefusalTest {
  private final World world = new World();

  /** A change of a good template, and the fields that are refused for it, each once. */
  record Bad(String spec, List<String> fields) {
    Bad(String spec, String... fields) {
      this(spec, List.of(fields));
    }
  }

  private static Bad container(String container, String... fields) {
    return new Bad(
        "{volumes: [{name: v}, {name: c, configMap: {name: c}}], containers: [{name: main, image:"
            + " i, %s}]}".formatted(container),
        List.of(fields).stream().map("containers[0]."::concat).toList());
  }

  static final List<Bad> CONTAINERS =
      List.of(
          container("restartPolicy: Odd", "restartPolicy"),
          container("restartPolicyRules: [{action: Restart}]", "restartPolicy"),
          container(
              "restartPolicy: Never, restartPolicyRules: [{}]",
              "restartPolicyRules[0].action",
              "restartPolicyRules[0].exitCodes"),
          container("resizePolicy: [{resourceName: odd, restartPolicy: Odd}]", "resizePolicy"),
          container("resources: {requests: {cpus: 1}}", "resources.requests[cpus]"),
          container(
              "resources: {limits: {example.com/a: 500m}}", "resources.limits[example.com/a]"),
          container("resources: {limits: {hugepages-2Mi: 4Mi}}", "resources"),
          container(
              "resources: {limits: {hugepages-2Mi: 3Mi, cpu: 1}}",
              "resources.limits[hugepages-2Mi]"),
          container("resources: {claims: [{name: gpu}]}", "resources.claims[0]"),
          container(
              "ports: [{containerPort: 80, name: a}, {containerPort: 81, name: a}]",
              "ports[1].name"),
          container("ports: [{containerPort: 80, name: a--b}]", "ports[0].name"),
          container(
              "ports: [{containerPort: 80, hostPort: 80}, {containerPort: 81, hostPort: 80}]",
              "ports[1].hostPort"),
          container("env: [{name: ä}]", "env[0].name"),
          container("env: [{name: a, valueFrom: {}}]", "env[0].valueFrom"),
          container(
              "env: [{name: a, valueFrom: {fieldRef: {fieldPath: status.phase}}}]",
              "env[0].valueFrom.fieldRef.fieldPath"),
          container(
              "env: [{name: a, valueFrom: {fieldRef: {fieldPath: \"metadata.labels['-']\"}}}]",
              "env[0].valueFrom.fieldRef"),
          container(
              "env: [{name: a, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 2}}}]",
              "env[0].valueFrom.resourceFieldRef.divisor"),
          container(
              "env: [{name: a, valueFrom: {secretKeyRef: {}}}]",
              "env[0].valueFrom.secretKeyRef.name",
              "env[0].valueFrom.secretKeyRef.key"),
          container(
              "env: [{name: a, valueFrom: {fileKeyRef: {volumeName: c, path: ../a, key: A}}}]",
              "env[0].valueFrom.fileKeyRef.volumeName",
              "env[0].valueFrom.fileKeyRef.path"),
          container("envFrom: [{}]", "envFrom"),
          container(
              "volumeMounts: [{name: v, mountPath: /a}, {name: c, mountPath: /a}]",
              "volumeMounts[1].mountPath"),
          container(
              "volumeMounts: [{name: v, mountPath: /a, subPath: ../b}]", "volumeMounts.subPath"),
          container("volumeDevices: [{name: v, devicePath: /a}]", "volumeDevices[0].name"),
          container(
              "securityContext: {privileged: true, allowPrivilegeEscalation: false}",
              "securityContext"),
          container("livenessProbe: {}", "livenessProbe"),
          container(
              "livenessProbe: {exec: {command: [a]}, successThreshold: 2}",
              "livenessProbe.successThreshold"),
          container(
              "readinessProbe: {exec: {}, tcpSocket: {port: 1}}",
              "readinessProbe.exec.command",
              "readinessProbe.tcpSocket"),
          container("startupProbe: {httpGet: {port: Web_}}", "startupProbe.httpGet.port"),
          container("lifecycle: {preStop: {sleep: {seconds: 31}}}", "lifecycle.preStop.sleep"));

  @ParameterizedTest
  @FieldSource("CONTAINERS")
  void refusesContainers(Bad c) {
    check(c);
  }

  private static final String NODE_TERMS =
      "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

  static final List<Bad> OTHERS =
      List.of(
          new Bad(
              "{initContainers: [{name: i, image: i, lifecycle: {}, startupProbe: {exec: {command:"
                  + " [a]}}}]}",
              "initContainers[0].lifecycle",
              "initContainers[0].startupProbe"),
          new Bad(
              "{volumes: [{name: v, hostPath: {path: /a, type: Odd}}]}",
              "volumes[0].hostPath.type"),
          new Bad(
              "{volumes: [{name: v, emptyDir: {}, hostPath: {path: /a}}]}", "volumes[0].hostPath"),
          new Bad(
              "{volumes: [{name: v, configMap: {name: c, items: [{key: a, path: ../b, mode:"
                  + " 512}]}}]}",
              "volumes[0].configMap.items[0].path",
              "volumes[0].configMap.items[0].mode"),
          new Bad(
              "{volumes: [{name: v, downwardAPI: {items: [{path: a}]}}]}",
              "volumes[0].downwardAPI"),
          new Bad(
              "{volumes: [{name: v, projected: {sources: [{configMap: {}}]}}]}",
              "volumes[0].projected.sources[0].configMap.name"),
          new Bad(
              "{volumes: [{name: v, persistentVolumeClaim: {}}]}",
              "volumes[0].persistentVolumeClaim.claimName"),
          new Bad(
              "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                  + " {nodeSelectorTerms: []}}}}",
              NODE_TERMS),
          new Bad(
              "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                  + " {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Gt}, {key: a,"
                  + " operator: Odd}]}]}}}}",
              NODE_TERMS + "[0].matchExpressions[0].values",
              NODE_TERMS + "[0].matchExpressions[1].operator"),
          new Bad(
              "{affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight:"
                  + " 101, podAffinityTerm: {topologyKey: t}}]}}}",
              "affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight"),
          new Bad(
              "{topologySpreadConstraints: [{maxSkew: 0, topologyKey: t, whenUnsatisfiable: Odd}]}",
              "topologySpreadConstraints[0].maxSkew",
              "topologySpreadConstraints[0].whenUnsatisfiable"),
          new Bad("{tolerations: [{key: a, value: 'b c'}]}", "tolerations[0].operator"),
          new Bad("{hostname: A, subdomain: a.b}", "hostname", "subdomain"),
          new Bad("{dnsPolicy: None}", "dnsConfig"),
          new Bad(
              "{hostAliases: [{ip: 1.2.3, hostnames: [A]}]}",
              "hostAliases[0].ip",
              "hostAliases[0].hostnames[0]"),
          new Bad(
              "{hostPID: true, shareProcessNamespace: true}",
              "securityContext.shareProcessNamespace"),
          new Bad("{securityContext: {runAsUser: -1}}", "securityContext.runAsUser"),
          new Bad("{overhead: {odd: 1}}", "overhead.limits[odd]"),
          new Bad("{os: {}}", "os.name"),
          new Bad("{hostAliases: [{ip: 010.1.2.3}]}", "hostAliases[0].ip"),
          new Bad(
              "{dnsConfig: {nameservers: ['::ffff:1.2.3.4', 'fd00::1%eth0']}}",
              "dnsConfig.nameservers[0]", "dnsConfig.nameservers[1]"),
          new Bad("{ephemeralContainers: [{name: e, image: i}]}", "ephemeralContainers"),
          new Bad("{resourceClaims: [{}]}", "resourceClaims[0].name", "resourceClaims[0]"));

  @ParameterizedTest
  @FieldSource("OTHERS")
  void refusesTemplates(Bad c) {
    check(c);
  }

  private static Bad user(String name) {
    return new Bad(
        "{securityContext: {windowsOptions: {runAsUserName: '%s'}}}".formatted(name),
        "securityContext.windowsOptions.runAsUserName");
  }

  static final List<Bad> SYSTEMS =
      List.of(
          new Bad("{os: {name: odd}}", "os"),
          new Bad(
              "{os: {name: windows}, hostPID: true, hostUsers: true, securityContext: {runAsUser:"
                  + " 1, sysctls: [{name: a, value: b}]}}",
              "hostPID",
              "hostUsers",
              "securityContext.runAsUser",
              "securityContext.sysctls"),
          new Bad(
              "{os: {name: windows}, containers: [{name: a, image: i, securityContext: {privileged:"
                  + " false}}]}",
              "containers[0].securityContext.privileged"),
          new Bad(
              "{os: {name: linux}, securityContext: {windowsOptions: {}}}",
              "securityContext.windowsOptions"),
          user(""),
          user("a\\b\\c"),
          user("a.".repeat(100_000) + "a\\b"),
          user(".a\\b"),
          user("a\\"),
          user("..."),
          user("a@b"),
          user("a".repeat(105)),
          new Bad(
              "{securityContext: {windowsOptions: {gmsaCredentialSpecName: A, gmsaCredentialSpec:"
                  + " ''}}}",
              "securityContext.windowsOptions.gmsaCredentialSpecName",
              "securityContext.windowsOptions.gmsaCredentialSpec"),
          new Bad(
              "{hostNetwork: true, securityContext: {windowsOptions: {hostProcess: true}},"
                  + " containers: [{name: a, image: i, securityContext: {windowsOptions:"
                  + " {hostProcess: true}}}, {name: b, image: i, securityContext:"
                  + " {windowsOptions: {hostProcess: false}}}]}",
              "containers[1].securityContext.windowsOptions.hostProcess",
              ""),
          new Bad("{securityContext: {windowsOptions: {hostProcess: true}}}", "hostNetwork"));

  @ParameterizedTest
  @FieldSource("SYSTEMS")
  void refusesWhatASystemDoesNotHave(Bad c) {
    check(c);
  }

  private void check(Bad c) {
    Tree template = Tree.of("template", Tree.of("spec", World.yaml(c.spec())));
    Tree body = MergePatch.apply(Samples.job("j"), Tree.of("spec", template));

    ApiFailure failure = refused(Reason.INVALID, () -> world.create(Kinds.JOB, body));

    assertThat(World.fields(failure).stream().distinct().toList())
        .containsExactlyInAnyOrderElementsOf(
            c.fields().stream().map(PodRefusalTest::inTemplate).toList());
  }

  /** Without a name it is the spec itself. */
  private static String inTemplate(String field) {
    return field.isEmpty() ? "spec.template.spec" : "spec.template.spec." + field;
  }
}
