package dev.sluice.conformance.scheduling;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.scheduling.SchedulerContest.Scenario;
import dev.sluice.model.Kinds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Preemptors, victims and pending pods, compared with kube-scheduler. */
@RequiresKubernetes(RealKubernetes.Part.SCHEDULER)
@Timeout(180)
class SchedulerPreemptionIT {
  private static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario(
              "the least important leaves, and then its place is taken",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("low", "cpu: 2", "priorityClassName: low");
                stage.pod("middle", "cpu: 2", "priorityClassName: middle");
                stage.pod("high", "cpu: 2", "priorityClassName: high");
              }),
          new Scenario(
              "its place is taken once it is gone",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("low", "cpu: 4", "priorityClassName: low");
                stage.pod("high", "cpu: 2", "priorityClassName: high");
                stage.leaves("low");
                stage.remove("low");
                stage.bound("high");
              }),
          new Scenario(
              "a budget decides on which node",
              stage -> {
                stage.budget("guarded", 0);
                stage.node("a", "cpu: 4", "zone: a", "");
                stage.node("b", "cpu: 4", "zone: b", "");
                stage.pod("guarded", "cpu: 4", "priorityClassName: low, nodeSelector: {zone: a}");
                stage.pod("free", "cpu: 4", "priorityClassName: middle, nodeSelector: {zone: b}");
                stage.pod("high", "cpu: 4", "priorityClassName: high");
              }),
          new Scenario(
              "who waits patiently, and who is no more important",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("middle", "cpu: 4", "priorityClassName: middle");
                stage.pod("patient", "cpu: 4", "priorityClassName: modest");
                stage.pod("equal", "cpu: 4", "priorityClassName: middle");
                stage.pod("too-large", "cpu: 5", "priorityClassName: high");
              }),
          new Scenario(
              "room that is freed in part",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("high", "cpu: 2", "priorityClassName: high");
                stage.pod("low", "cpu: 2", "priorityClassName: low");
                stage.pod("middle", "cpu: 4", "priorityClassName: middle");
                stage.remove("high");
                stage.leaves("low");
                stage.remove("low");
                stage.bound("middle");
              }),
          new Scenario(
              "gates",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("gated", "cpu: 1", "schedulingGates: [{name: g.io/g}]");
                stage.pod("late", "cpu: 1", "schedulingGates: [{name: g.io/g}]");
                stage.ungate("late");
                stage.bound("late");
              }),
          new Scenario(
              "what a node becomes, and what ends on it",
              stage -> {
                stage.node("a", "cpu: 4", "", "taints: [{key: k, effect: NoSchedule}]");
                stage.pod("p", "cpu: 4", "");
                stage.change("a", SchedulerStage::untainted);
                stage.bound("p");
                stage.pod("labelled", "cpu: 4", "nodeSelector: {disk: ssd}");
                stage.change("a", SchedulerStage.labelled("disk", "ssd"));
                stage.ended("p");
                stage.bound("labelled");
              }),
          new Scenario(
              "no more volumes",
              stage -> {
                stage.given(
                    Kinds.CSI_NODE,
                    "{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: a}, spec:"
                        + " {drivers: [{name: d.io, nodeID: a, allocatable: {count: 1}}]}}");
                for (String name : List.of("one", "two")) {
                  stage.given(
                      Kinds.PERSISTENT_VOLUME,
                      "{apiVersion: v1, kind: PersistentVolume, metadata: {name: %s-#}, spec:"
                              .formatted(name)
                          + " {capacity: {storage: 1Gi}, accessModes: [ReadWriteMany], csi:"
                          + " {driver:"
                          + " d.io, volumeHandle: %s}}}".formatted(name));
                  stage.given(
                      Kinds.PERSISTENT_VOLUME_CLAIM,
                      "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: %s-#,"
                              .formatted(name)
                          + " namespace: default, annotations: {pv.kubernetes.io/bind-completed:"
                          + " 'yes'}}, spec: {volumeName: %s-#, storageClassName: '', accessModes:"
                              .formatted(name)
                          + " [ReadWriteMany], resources: {requests: {storage: 1Gi}}}, status:"
                          + " {phase: Bound}}");
                }
                stage.node("a", "cpu: 4", "", "");
                stage.pod("one", "cpu: 1", volume("one-#"));
                stage.pod("two", "cpu: 1", volume("two-#"));
              }),
          new Scenario(
              "a binding that is refused",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("forbidden", "cpu: 1", "");
              }),
          new Scenario(
              "a budget that lets one of two go",
              stage -> {
                stage.budget("guarded", 1);
                stage.node("a", "cpu: 4", "zone: a", "");
                stage.node("b", "cpu: 4", "zone: b", "");
                stage.pod("guarded1", "cpu: 2", "priorityClassName: low, nodeSelector: {zone: a}");
                stage.pod("guarded2", "cpu: 2", "priorityClassName: low, nodeSelector: {zone: a}");
                stage.pod("free", "cpu: 4", "priorityClassName: middle, nodeSelector: {zone: b}");
                stage.pod("high", "cpu: 4", "priorityClassName: high");
              }),
          new Scenario(
              "a budget that lets both go",
              stage -> {
                stage.budget("guarded", 2);
                stage.node("a", "cpu: 4", "zone: a", "");
                stage.node("b", "cpu: 4", "zone: b", "");
                stage.pod("guarded1", "cpu: 2", "priorityClassName: low, nodeSelector: {zone: a}");
                stage.pod("guarded2", "cpu: 2", "priorityClassName: low, nodeSelector: {zone: a}");
                stage.pod("free", "cpu: 4", "priorityClassName: middle, nodeSelector: {zone: b}");
                stage.pod("high", "cpu: 4", "priorityClassName: high");
                stage.leaves("guarded1");
                stage.leaves("guarded2");
              }),
          new Scenario(
              "whoever has not started yet loses least",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("waiting", "cpu: 2", "priorityClassName: low");
                stage.pod("running", "cpu: 2", "priorityClassName: low");
                stage.started("running", "2026-01-01T00:00:00Z");
                stage.pod("high", "cpu: 2", "priorityClassName: high");
              }),
          new Scenario(
              "room that is promised but cannot be used after all",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("low", "cpu: 4", "priorityClassName: low");
                stage.pod("high", "cpu: 4", "priorityClassName: high");
                stage.leaves("low");
                stage.change("a", SchedulerStage::cordoned);
                stage.remove("low");
                stage.says("high", "unschedulable");
              }),
          new Scenario(
              "room that is promised to one, and then to a more important one",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("low", "cpu: 4", "priorityClassName: low");
                stage.pod("middle", "cpu: 4", "priorityClassName: middle");
                stage.leaves("low");
                stage.pod("high", "cpu: 4", "priorityClassName: high");
                stage.remove("low");
                stage.bound("high");
                stage.says("middle", "No preemption victims found");
              }),
          new Scenario(
              "nodes where it would help, and nodes where not",
              stage -> {
                stage.node("cordoned", "cpu: 4", "", "unschedulable: true");
                stage.node("small", "cpu: 1", "", "");
                stage.node("equal", "cpu: 4", "zone: e", "");
                stage.node("mixed", "cpu: 4", "zone: m", "");
                stage.pod("equal", "cpu: 4", "priorityClassName: high, nodeSelector: {zone: e}");
                stage.pod("equal2", "cpu: 2", "priorityClassName: high, nodeSelector: {zone: m}");
                stage.pod("low", "cpu: 2", "priorityClassName: low, nodeSelector: {zone: m}");
                stage.pod("high", "cpu: 3", "priorityClassName: high");
              }),
          new Scenario(
              "one leaves because it keeps others away",
              stage -> {
                stage.node("a", "cpu: 8", "zone: a", "");
                stage.pod(
                    "shy",
                    "cpu: 1",
                    "priorityClassName: low, affinity: {podAntiAffinity:"
                        + " {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone,"
                        + " labelSelector: {matchLabels: {app: high}}}]}}");
                stage.pod("calm", "cpu: 1", "priorityClassName: low");
                stage.pod("high", "cpu: 1", "priorityClassName: high");
              }));

  private static String volume(String claim) {
    return "volumes: [{name: v, persistentVolumeClaim: {claimName: '%s'}}]".formatted(claim);
  }

  @Test
  void bothSchedulersTellTheSameStory(RealKubernetes kubernetes) {
    SchedulerContest.play(kubernetes, SCENARIOS);
  }
}
