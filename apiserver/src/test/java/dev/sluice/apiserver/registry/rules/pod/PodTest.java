package dev.sluice.apiserver.registry.rules.pod;

import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Pods: their defaults, and what is refused. */
class PodTest {
  private final World world = new World();

  @Test
  void defaultsAreThoseOfKubernetes() {
    ApiObject pod =
        world.create(
            Kinds.POD,
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p, creationTimestamp: null}
            spec:
              hostNetwork: true
              volumes:
              - name: scratch
              - name: settings
                configMap: {name: c}
              containers:
              - name: a
                image: registry:5000/a
                resources: {limits: {cpu: 1000m, memory: 1024Mi}, requests: {cpu: 0.5}}
                ports: [{containerPort: 80}]
                readinessProbe: {httpGet: {port: 80}}
                livenessProbe: {grpc: {port: 81}, timeoutSeconds: 2}
                env:
                - {name: N, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
              - name: b
                image: b@sha256:0123
            """);

    assertThat(pod.spec())
        .isEqualTo(
            World.yaml(
                """
                hostNetwork: true
                restartPolicy: Always
                terminationGracePeriodSeconds: 30
                dnsPolicy: ClusterFirst
                securityContext: {}
                serviceAccount: default
                serviceAccountName: default
                schedulerName: default-scheduler
                enableServiceLinks: true
                priority: 0
                preemptionPolicy: PreemptLowerPriority
                tolerations:
                - key: node.kubernetes.io/not-ready
                  operator: Exists
                  effect: NoExecute
                  tolerationSeconds: 300
                - key: node.kubernetes.io/unreachable
                  operator: Exists
                  effect: NoExecute
                  tolerationSeconds: 300
                volumes:
                - name: scratch
                  emptyDir: {}
                - name: settings
                  configMap: {name: c, defaultMode: 420}
                containers:
                - name: a
                  image: registry:5000/a
                  imagePullPolicy: Always
                  terminationMessagePath: /dev/termination-log
                  terminationMessagePolicy: File
                  resources:
                    limits: {cpu: "1", memory: 1Gi}
                    requests: {cpu: 500m, memory: 1Gi}
                  ports: [{containerPort: 80, hostPort: 80, protocol: TCP}]
                  readinessProbe:
                    httpGet: {port: 80, path: /, scheme: HTTP}
                    timeoutSeconds: 1
                    periodSeconds: 10
                    successThreshold: 1
                    failureThreshold: 3
                  livenessProbe:
                    grpc: {port: 81, service: ""}
                    timeoutSeconds: 2
                    periodSeconds: 10
                    successThreshold: 1
                    failureThreshold: 3
                  env:
                  - name: N
                    valueFrom: {fieldRef: {apiVersion: v1, fieldPath: metadata.name}}
                - name: b
                  image: b@sha256:0123
                  imagePullPolicy: IfNotPresent
                  terminationMessagePath: /dev/termination-log
                  terminationMessagePolicy: File
                  resources: {}
                """));
    assertThat(pod.status()).isEqualTo(Tree.of("phase", "Pending", "qosClass", "Burstable"));
  }

  /** What a container asks for, and the class it makes of its pod. */
  record Quality(String resources, String want) {}

  static final List<Quality> QUALITIES =
      List.of(
          new Quality("{}", "BestEffort"),
          new Quality("{limits: {cpu: 1, memory: 1Gi}}", "Guaranteed"),
          new Quality(
              "{limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 1000m, memory: 1Gi}}", "Guaranteed"),
          new Quality("{limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 500m}}", "Burstable"),
          new Quality("{requests: {cpu: 1}}", "Burstable"),
          new Quality("{limits: {memory: 1Gi}}", "Burstable"),
          new Quality("{limits: {example.com/gpu: 1}}", "BestEffort"));

  @ParameterizedTest
  @FieldSource("QUALITIES")
  void qualityOfService(Quality c) {
    Tree body = withContainer("{name: a, image: i, resources: %s}".formatted(c.resources()));

    assertThat(world.create(Kinds.POD, body).status().text("qosClass")).isEqualTo(c.want());
  }

  private static Tree withContainer(String... containers) {
    List<Tree> parsed = List.of(containers).stream().map(World::yaml).toList();
    return Samples.pod("p").with(List.of("spec", "containers"), parsed);
  }

  /** A change of a good pod's spec, and the field that is refused for it. */
  record Bad(String spec, String field) {}

  static final List<Bad> BAD =
      List.of(
          new Bad("{containers: []}", "spec.containers"),
          new Bad("{containers: [{image: i}]}", "spec.containers[0].name"),
          new Bad("{containers: [{name: A, image: i}]}", "spec.containers[0].name"),
          new Bad("{containers: [{name: a}]}", "spec.containers[0].image"),
          new Bad(
              "{containers: [{name: a, image: i}, {name: a, image: i}]}",
              "spec.containers[1].name"),
          new Bad("{initContainers: [{name: main, image: i}]}", "spec.initContainers[0].name"),
          new Bad("{restartPolicy: Sometimes}", "spec.restartPolicy"),
          new Bad("{activeDeadlineSeconds: 0}", "spec.activeDeadlineSeconds"),
          new Bad(
              "{containers: [{name: a, image: i, resources: {requests: {cpu: -1}}}]}",
              "spec.containers[0].resources.requests[cpu]"),
          new Bad(
              "{containers: [{name: a, image: i, resources: {requests: {memory: lots}}}]}",
              "spec.containers[0].resources.requests[memory]"),
          new Bad(
              "{containers: [{name: a, image: i, resources: {requests: {cpu: 2}, limits: {cpu:"
                  + " 1}}}]}",
              "spec.containers[0].resources.requests"),
          new Bad(
              "{containers: [{name: a, image: i, resources: {requests: {example.com/gpu: 1},"
                  + " limits: {example.com/gpu: 2}}}]}",
              "spec.containers[0].resources.requests"),
          new Bad(
              "{containers: [{name: a, image: i, ports: [{containerPort: 70000}]}]}",
              "spec.containers[0].ports[0].containerPort"),
          new Bad(
              "{containers: [{name: a, image: i, volumeMounts: [{name: v, mountPath: /v}]}]}",
              "spec.containers[0].volumeMounts[0].name"),
          new Bad("{volumes: [{name: v}, {name: v}]}", "spec.volumes[1].name"),
          new Bad("{tolerations: [{operator: Equal, value: x}]}", "spec.tolerations[0].operator"),
          new Bad("{schedulingGates: [{name: a}, {name: a}]}", "spec.schedulingGates[1]"),
          new Bad("{schedulingGates: [{name: a}], nodeName: n}", "spec.nodeName"));

  @ParameterizedTest
  @FieldSource("BAD")
  void refuses(Bad c) {
    Tree body = MergePatch.apply(Samples.pod("p"), Tree.of("spec", World.yaml(c.spec())));

    ApiFailure failure = refused(Reason.INVALID, () -> world.create(Kinds.POD, body));

    assertThat(fields(failure)).containsExactly(c.field());
  }

  @Test
  void aGatedPodSaysThatItIs() {
    ApiObject pod =
        world.create(
            Kinds.POD,
            Samples.pod("p")
                .with(List.of("spec", "schedulingGates"), List.of(Tree.of("name", "a"))));

    Tree condition = pod.status().trees("conditions").getFirst();
    assertThat(condition.text("reason")).isEqualTo("SchedulingGated");
    assertThat(condition.text("status")).isEqualTo("False");
  }
}
