package dev.sluice.conformance.scheduling;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.scheduling.SchedulerContest.Scenario;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which nodes pods get for what the nodes are and offer, beside kube-scheduler. */
@RequiresKubernetes(RealKubernetes.Part.SCHEDULER)
@Timeout(180)
class SchedulerNodesIT {
  private static String nodeAffinity(String term) {
    return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
        + " {nodeSelectorTerms: [{%s}]}}}".formatted(term);
  }

  private static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario(
              "the node with the most room left",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.node("b", "cpu: 16", "", "");
                stage.pod("p", "cpu: 1, memory: 1Gi", "");
                stage.pod("too-large", "cpu: 17, memory: 65Gi", "");
              }),
          new Scenario(
              "taints",
              stage -> {
                stage.node("a", "cpu: 32", "", "taints: [{key: k, value: v, effect: NoSchedule}]");
                stage.node("b", "cpu: 16", "", "taints: [{key: s, effect: PreferNoSchedule}]");
                stage.node("c", "cpu: 4", "", "");
                stage.pod("plain", "cpu: 1", "");
                stage.pod("large", "cpu: 8", "");
                stage.pod("tolerant", "cpu: 1", "tolerations: [{operator: Exists}]");
                stage.pod("refused", "cpu: 20", "tolerations: [{key: k, value: other}]");
              }),
          new Scenario(
              "affinity to nodes",
              stage -> {
                stage.node("a", "cpu: 32", "rank: '3'", "");
                stage.node("b", "cpu: 8", "rank: '7', disk: ssd", "");
                stage.node("c", "cpu: 4", "", "");
                stage.pod(
                    "above",
                    "cpu: 1",
                    nodeAffinity("matchExpressions: [{key: rank, operator: Gt, values: ['5']}]"));
                stage.pod(
                    "without",
                    "cpu: 1",
                    nodeAffinity("matchExpressions: [{key: rank, operator: DoesNotExist}]"));
                stage.pod(
                    "by-name",
                    "cpu: 1",
                    nodeAffinity("matchFields: [{key: metadata.name, operator: In, values: [c]}]"));
                stage.pod(
                    "by-name-too-large",
                    "cpu: 9",
                    nodeAffinity("matchFields: [{key: metadata.name, operator: In, values: [c]}]"));
                stage.pod("nowhere", "cpu: 1", "nodeSelector: {disk: hdd}");
              }),
          new Scenario(
              "cordoned, then not",
              stage -> {
                stage.node("a", "cpu: 8", "", "unschedulable: true");
                stage.pod("p", "cpu: 1", "");
                stage.change("a", SchedulerStage::uncordoned);
                stage.bound("p");
              }),
          new Scenario(
              "no more pods",
              stage -> {
                stage.node("a", "cpu: 8, pods: 1", "", "");
                stage.pod("first", "cpu: 1", "");
                stage.pod("second", "cpu: 8", "");
              }),
          new Scenario(
              "devices",
              stage -> {
                stage.node("a", "cpu: 32, example.com/gpu: 1", "", "");
                stage.node("b", "cpu: 8, example.com/gpu: 4", "", "");
                stage.pod("two", "cpu: 1, example.com/gpu: 2", "");
                stage.pod("four", "cpu: 1, example.com/gpu: 4", "");
                stage.pod("unknown", "cpu: 1, example.com/tpu: 1", "");
              }),
          new Scenario(
              "init containers, sidecars and overhead of a whole pod",
              stage -> {
                stage.node("a", "cpu: 5", "", "");
                stage.node("b", "cpu: 6", "", "");
                stage.pod(
                    "six",
                    "cpu: 1",
                    "initContainers: [{name: s, image: none, restartPolicy: Always, resources:"
                        + " {requests: {cpu: 2}}}, {name: i, image: none, resources: {requests:"
                        + " {cpu: 4}}}]");
                stage.pod("as-a-whole", "cpu: 1", "resources: {requests: {cpu: 6}}");
              }),
          new Scenario(
              "ports of the node",
              stage -> {
                String port =
                    "initContainers: [{name: i, image: none, restartPolicy: Always, ports:"
                        + " [{containerPort: 80, hostPort: 80}]}]";
                stage.node("a", "cpu: 8", "", "");
                stage.pod("first", "cpu: 1", port);
                stage.pod("second", "cpu: 1", port);
                stage.ended("first");
                stage.bound("second");
              }),
          new Scenario(
              "images that are there",
              stage -> {
                stage.node("a", "cpu: 8", "", "");
                stage.node(
                    "b", "cpu: 8", "", "", "images: [{names: ['model:1'], sizeBytes: 2000000000}]");
                stage.pod("p", "cpu: 1", "initContainers: [{name: i, image: 'model:1'}]");
              }),
          new Scenario(
              "many reasons on many nodes",
              stage -> {
                for (int i = 0; i < 10; i++) {
                  stage.node("t" + i, "cpu: 4", "", "taints: [{key: k, effect: NoExecute}]");
                }
                stage.node("c", "cpu: 4", "", "unschedulable: true");
                stage.node("s1", "cpu: 1, pods: 1", "disk: ssd", "");
                stage.node("s2", "cpu: 1", "disk: ssd", "");
                stage.node("l", "cpu: 32", "", "");
                stage.pod("first", "cpu: 1", "nodeSelector: {kubernetes.io/hostname: s1}");
                stage.pod("p", "cpu: 2, memory: 65Gi", "nodeSelector: {disk: ssd}");
                stage.pod(
                    "gone",
                    "cpu: 1",
                    nodeAffinity("matchFields: [{key: metadata.name, operator: In, values: [x]}]"));
              }),
          new Scenario(
              "resources that few pods ask for",
              stage -> {
                stage.node("a", "cpu: 4, ephemeral-storage: 1Gi, hugepages-2Mi: 4Mi", "", "");
                stage.pod("disk", "cpu: 1, ephemeral-storage: 2Gi", "");
                stage.pod("pages", "cpu: 1, memory: 1Gi, hugepages-2Mi: 4Mi", "");
                stage.pod("more", "cpu: 1, memory: 1Gi, hugepages-2Mi: 2Mi", "");
              }),
          new Scenario(
              "ports of one address",
              stage -> {
                String port =
                    "initContainers: [{name: i, image: none, restartPolicy: Always, ports:"
                        + " [{containerPort: 80, hostPort: 80, protocol: %s, hostIP: %s}]}]";
                stage.node("a", "cpu: 8", "", "");
                stage.pod("one", "cpu: 1", port.formatted("TCP", "127.0.0.1"));
                stage.pod("two", "cpu: 1", port.formatted("TCP", "127.0.0.2"));
                stage.pod("udp", "cpu: 1", port.formatted("UDP", "0.0.0.0"));
                stage.pod("all", "cpu: 1", port.formatted("TCP", "0.0.0.0"));
              }),
          new Scenario(
              "wishes against taints",
              stage -> {
                stage.node(
                    "a", "cpu: 8", "disk: ssd", "taints: [{key: k, effect: PreferNoSchedule}]");
                stage.node("b", "cpu: 8", "disk: hdd", "");
                stage.node("c", "cpu: 8", "", "taints: [{key: k, effect: PreferNoSchedule}]");
                String wishes =
                    "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
                        + " [{weight: %d, preference: {matchExpressions: [{key: disk, operator: In,"
                        + " values: [ssd]}]}}, {weight: 10, preference: {matchExpressions: [{key:"
                        + " disk, operator: Exists}]}}]}}";
                stage.pod("weak", "cpu: 1", wishes.formatted(1));
                stage.pod("strong", "cpu: 1", wishes.formatted(100));
              }),
          new Scenario(
              "a toleration that comes later",
              stage -> {
                stage.node("a", "cpu: 4", "", "taints: [{key: k, effect: NoSchedule}]");
                stage.pod("p", "cpu: 1", "");
                stage.changePod(
                    "p",
                    pod ->
                        pod.withSpec(
                            pod.spec()
                                .with(
                                    "tolerations",
                                    Items.of(
                                        Stream.concat(
                                                pod.spec().items("tolerations").stream(),
                                                Stream.of(
                                                    Tree.of("key", "k", "operator", "Exists")))
                                            .toList()))));
                stage.bound("p");
              }));

  @Test
  void bothSchedulersTellTheSameStory(RealKubernetes kubernetes) {
    SchedulerContest.play(kubernetes, SCENARIOS);
  }
}
