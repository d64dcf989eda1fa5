package dev.sluice.conformance.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.ApiClient;
import dev.sluice.conformance.ApiClient.Response;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.TwoServers;
import dev.sluice.conformance.apiserver.AppliedTwice;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Managers that write Kueue's objects in either version, on our API server and on a real one that
 * asks our conversion: who owns what, and who is in the way, must be the same.
 */
@RequiresKubernetes
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KueueApplyDifferentialIT {
  private static final String OLD = "v1beta1";
  private static final String NEW = "v1beta2";

  private final KueueServer realServer;
  private final KueueServer ourServer;
  private final ApiClient real;
  private final ApiClient ours;

  KueueApplyDifferentialIT(RealKubernetes kubernetes) {
    this.realServer = KueueServer.converting(kubernetes);
    this.ourServer = KueueServer.embedded();
    this.real = realServer.client();
    this.ours = ourServer.client();
  }

  @AfterAll
  void close() {
    real.close();
    ours.close();
    realServer.close();
    ourServer.close();
  }

  private void send(String path, String type, String body) {
    Response answered = ours.send("PATCH", path, type, body);
    Response expected = real.send("PATCH", path, type, body);

    String what = "%s %s: %s".formatted(path, body, expected.body());
    assertThat(answered.code()).as(what).isEqualTo(expected.code());
    assertThat(AppliedTwice.comparable(answered))
        .as(what)
        .isEqualTo(AppliedTwice.comparable(expected));
  }

  private static String queue(String version, String name) {
    return "/apis/kueue.x-k8s.io/%s/clusterqueues/%s?fieldManager=".formatted(version, name);
  }

  private void apply(String version, String name, String manager, String spec) {
    String queue =
        "{apiVersion: kueue.x-k8s.io/%s, kind: ClusterQueue, metadata: {name: %s}, spec: {%s}}"
            .formatted(version, name, spec);
    send(queue(version, name) + manager, AppliedTwice.APPLY, queue);
  }

  private void merge(String version, String name, String manager, String spec) {
    send(queue(version, name) + manager, TwoServers.MERGE, "{\"spec\": {%s}}".formatted(spec));
  }

  @Test
  void anOwnerChangesItsVersion() {
    apply(OLD, "moved", "a", "cohort: c, queueingStrategy: StrictFIFO");
    apply(OLD, "moved", "a", "cohort: c, queueingStrategy: StrictFIFO");
    apply(NEW, "moved", "a", "cohortName: d, queueingStrategy: StrictFIFO");
    apply(NEW, "moved", "a", "stopPolicy: Hold");
    apply(OLD, "moved", "a", "cohort: e, stopPolicy: Hold, admissionChecks: [x, z]");
    apply(NEW, "moved", "a", "cohortName: e");
    apply(OLD, "moved", "a", "stopPolicy: Hold");
  }

  @Test
  void ownersSpeakDifferentVersions() {
    apply(OLD, "shared", "a", "cohort: c, stopPolicy: Hold");
    apply(NEW, "shared", "b", "cohortName: d");
    apply(NEW, "shared", "b", "cohortName: c, queueingStrategy: StrictFIFO");
    apply(OLD, "shared", "a", "stopPolicy: None");
    apply(OLD, "shared", "a", "cohort: e, stopPolicy: None, queueingStrategy: BestEffortFIFO");
    apply(OLD, "shared", "a&force=true", "cohort: e, stopPolicy: None");
    apply(NEW, "shared", "b", "queueingStrategy: StrictFIFO");
    apply(NEW, "shared", "c", "cohortName: e, stopPolicy: None");
    apply(OLD, "shared", "a", "queueingStrategy: StrictFIFO");
    apply(NEW, "shared", "c", "stopPolicy: None");
  }

  @Test
  void otherManagersWriteInEitherVersion() {
    apply(OLD, "written", "a", "cohort: c, stopPolicy: Hold");
    merge(NEW, "written", "n", "\"cohortName\": \"d\"");
    merge(OLD, "written", "o", "\"cohort\": \"e\", \"stopPolicy\": \"None\"");
    merge(OLD, "written", "n", "\"queueingStrategy\": \"StrictFIFO\"");
    apply(NEW, "written", "a", "cohortName: c, stopPolicy: Hold, queueingStrategy: StrictFIFO");
    apply(NEW, "written", "a", "queueingStrategy: StrictFIFO");
    merge(NEW, "written", "n", "\"cohortName\": null");
  }

  /** The real server loses on the way through v1beta1 what the same request asks for. */
  @Test
  void whatTheOlderVersionCannotTellIsKeptByOursAlone() {
    String workload =
        "{apiVersion: kueue.x-k8s.io/%s, kind: Workload, metadata: {name: gated}, spec: {%s}}";
    String path = "/apis/kueue.x-k8s.io/%s/namespaces/default/workloads/gated?fieldManager=a";
    String podSets = "podSets: [{name: main, template: {spec: {containers: []}}}]";
    String gates = podSets + ", preemptionGates: [{name: g}]";
    for (ApiClient server : List.of(ours, real)) {
      server.send(
          "PATCH", path.formatted(OLD), AppliedTwice.APPLY, workload.formatted(OLD, podSets));
      Response answer =
          server.send(
              "PATCH", path.formatted(NEW), AppliedTwice.APPLY, workload.formatted(NEW, gates));

      assertThat(answer.code()).as("%s", answer).isEqualTo(200);
      assertThat(answer.body().tree("spec").has("preemptionGates")).isEqualTo(server == ours);
    }
  }
}
