package dev.sluice.controllers.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.testkit.Worlds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class RoleHashTest {
  private static final String PLAIN = "containers: [{name: c, image: i}]";

  record Case(String name, String spec, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Pods and the role hashes that Kueue gives them. */
  static final List<Case> KNOWN =
      List.of(
          new Case(
              "a pod that asks for nothing",
              "containers: [{name: c, resources: {requests: {}}}]",
              "a9f06f3a"),
          new Case(
              "a pod that asks for a cpu",
              "containers: [{name: c, resources: {requests: {cpu: '1'}}}]",
              "dc85db45"),
          new Case(
              "a pod with default tolerations",
              "containers: [{resources: {requests: {cpu: 1000m, memory: 1024Mi}}}],"
                  + " tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists,"
                  + " effect: NoExecute, tolerationSeconds: 300},"
                  + " {key: node.kubernetes.io/unreachable, operator: Exists,"
                  + " effect: NoExecute, tolerationSeconds: 300}]",
              "c663fe54"),
          new Case(
              "a pod with a port",
              "containers: [{ports: [{name: web, hostPort: 80, containerPort: 80, protocol: TCP,"
                  + " hostIP: 10.0.0.1}]}]",
              "26f6f651"),
          new Case(
              "a pod with affinities",
              """
              containers: [{name: c}],
              affinity: {
                nodeAffinity: {
                  preferredDuringSchedulingIgnoredDuringExecution: [
                    {weight: 5, preference: {matchExpressions: [
                      {key: a, operator: In, values: ['<b&c>']}]}}],
                  requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
                    {matchFields: [{key: metadata.name, operator: In, values: [n1]}],
                     matchExpressions: [{key: a, operator: Exists}]}]}},
                podAntiAffinity: {
                  preferredDuringSchedulingIgnoredDuringExecution: [
                    {weight: 5, podAffinityTerm: {topologyKey: zone, labelSelector: {
                      matchExpressions: [{key: a, operator: Exists}],
                      matchLabels: {b: c, a: d}}, namespaceSelector: {}, namespaces: [x],
                      matchLabelKeys: [k], mismatchLabelKeys: [l]}}],
                  requiredDuringSchedulingIgnoredDuringExecution: [
                    {topologyKey: zone, labelSelector: {matchLabels: {b: c}}}]}}
              """,
              "9b1e1194"),
          new Case(
              "a pod that is spread",
              "containers: [{name: c}], topologySpreadConstraints: [{maxSkew: 1,"
                  + " topologyKey: zone, whenUnsatisfiable: DoNotSchedule,"
                  + " labelSelector: {matchLabels: {b: c}}, minDomains: 2,"
                  + " nodeAffinityPolicy: Honor, nodeTaintsPolicy: Ignore, matchLabelKeys: [k]}]",
              "8df1b77c"),
          new Case(
              "a pod with everything else",
              "containers: [{name: c}], overhead: {cpu: 0.5}, priority: 5, runtimeClassName: r,"
                  + " resourceClaims: [{resourceClaimTemplateName: t, name: g}],"
                  + " nodeSelector: {b: c, a: d}, resources: {requests: {memory: 1073741824}}",
              "22bcae61"));

  @ParameterizedTest
  @FieldSource("KNOWN")
  void hashIsThatOfKueue(Case c) {
    assertThat(RoleHash.of(pod(c.spec()))).isEqualTo(c.want());
  }

  /** Changes of a pod that change its role, and others that do not. */
  static final List<Case> DIFFERENCES =
      List.of(
          new Case("node selector", PLAIN + ", nodeSelector: {a: b}", "another"),
          new Case("affinity", PLAIN + ", affinity: {nodeAffinity: {}}", "another"),
          new Case("tolerations", PLAIN + ", tolerations: [{key: a}]", "another"),
          new Case("runtime class", PLAIN + ", runtimeClassName: gvisor", "another"),
          new Case("priority", PLAIN + ", priority: 5", "another"),
          new Case("spread", PLAIN + ", topologySpreadConstraints: [{maxSkew: 1}]", "another"),
          new Case("overhead", PLAIN + ", overhead: {cpu: 1}", "another"),
          new Case("claims", PLAIN + ", resourceClaims: [{name: gpu}]", "another"),
          new Case("pod resources", PLAIN + ", resources: {requests: {cpu: 1}}", "another"),
          new Case("init containers", PLAIN + ", initContainers: [{name: i}]", "another"),
          new Case("ports", "containers: [{ports: [{containerPort: 80}]}]", "another"),
          new Case("a second container", "containers: [{name: c}, {name: d}]", "another"),
          new Case("another image", "containers: [{name: c, image: j}]", "same"),
          new Case("limits", "containers: [{resources: {limits: {cpu: 1}}}]", "same"),
          new Case("a node", PLAIN + ", nodeName: n", "same"),
          new Case("gates", PLAIN + ", schedulingGates: [{name: g}]", "same"));

  @ParameterizedTest
  @FieldSource("DIFFERENCES")
  void hashDependsOnPlacement(Case c) {
    boolean same = RoleHash.of(pod(c.spec())).equals(RoleHash.of(pod(PLAIN)));

    assertThat(same ? "same" : "another").isEqualTo(c.want());
  }

  @Test
  void annotationOverridesTheHash() {
    ApiObject pod = pod(PLAIN);
    ApiObject leader = pod.withAnnotation(KueueNames.ROLE_HASH, "leader");

    assertThat(RoleHash.of(leader)).isEqualTo("leader");
    assertThat(RoleHash.ofSpec(leader.spec())).isEqualTo(RoleHash.of(pod));
  }

  private static ApiObject pod(String spec) {
    return Worlds.yaml("{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {" + spec + "}}");
  }
}
