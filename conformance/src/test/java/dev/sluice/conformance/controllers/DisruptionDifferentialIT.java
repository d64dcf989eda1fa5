package dev.sluice.conformance.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.controllers.housekeeping.DisruptionController;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.PodDisruptionBudget;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.testkit.Worlds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Disruption budgets as kube-controller-manager counts them and kube-apiserver spends them, and as
 * ours do: what must be so is said here, and both must come to it.
 */
@RequiresKubernetes(RealKubernetes.Part.CONTROLLER_MANAGER)
@Timeout(120)
class DisruptionDifferentialIT {
  private static final String JOB = "disrupted";

  private final TwoWorlds worlds;

  DisruptionDifferentialIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    this.worlds =
        new TwoWorlds(kubernetes, folder, ours -> List.of(new DisruptionController(ours)));
  }

  @AfterEach
  void close() {
    worlds.close();
  }

  /**
   * A budget for some pods.
   *
   * @param pods a letter each: {@code r} is ready, {@code n} is not, {@code p} is pending; large
   *     ones belong to a Job
   * @param status what is counted
   * @param evictions what becomes of the pods that are evicted one after the other
   */
  private record Case(
      String name, String budget, String pods, String status, List<String> evictions) {}

  private static final String GOES = "goes";

  private static String refused(String why) {
    return "429 Cannot evict pod as it would violate the pod's disruption budget. DisruptionBudget:"
        + " "
        + why;
  }

  private static final List<Case> CASES =
      List.of(
          new Case(
              "number",
              "minAvailable: 1",
              "rr",
              "2 of 2, 1 needed, 1 may go: True SufficientPods",
              List.of(GOES)),
          new Case(
              "all",
              "minAvailable: 2",
              "rr",
              "2 of 2, 2 needed, 0 may go: False InsufficientPods",
              List.of(
                  refused("The disruption budget all needs 2 healthy pods and has 2 currently"))),
          new Case(
              "pending",
              "minAvailable: 2",
              "pr",
              "1 of 2, 2 needed, 0 may go: False InsufficientPods",
              List.of(GOES)),
          new Case(
              "unhealthy",
              "minAvailable: 1",
              "nr",
              "1 of 2, 1 needed, 0 may go: False InsufficientPods",
              List.of(
                  GOES,
                  refused(
                      "The disruption budget unhealthy needs 1 healthy pods and has 1 currently"))),
          new Case(
              "too-unhealthy",
              "minAvailable: 2",
              "nr",
              "1 of 2, 2 needed, 0 may go: False InsufficientPods",
              List.of(
                  refused(
                      "The disruption budget too-unhealthy needs 2 healthy pods and has 1"
                          + " currently"))),
          new Case(
              "always",
              "minAvailable: 2, unhealthyPodEvictionPolicy: AlwaysAllow",
              "nr",
              "1 of 2, 2 needed, 0 may go: False InsufficientPods",
              List.of(GOES)),
          new Case(
              "share-of-nobody",
              "minAvailable: 50%",
              "rr",
              "2 of 0, 0 needed, 0 may go: False InsufficientPods",
              List.of(
                  refused(
                      "The disruption budget share-of-nobody does not allow evicting pods"
                          + " currently"))),
          new Case(
              "missing-of-nobody",
              "maxUnavailable: 1",
              "rr",
              "2 of 0, 0 needed, 0 may go: False InsufficientPods",
              List.of(
                  refused(
                      "The disruption budget missing-of-nobody does not allow evicting pods"
                          + " currently"))),
          new Case(
              "number-of-job",
              "minAvailable: 1",
              "RR",
              "2 of 2, 1 needed, 1 may go: True SufficientPods",
              List.of(GOES)),
          new Case(
              "share-of-job",
              "maxUnavailable: 30%",
              "RR",
              "0 of 0, 0 needed, 0 may go: False SyncFailed jobs.batch does not implement the scale"
                  + " subresource",
              List.of(
                  refused(
                      "The disruption budget share-of-job does not allow evicting pods currently"
                          + " because it failed sync: jobs.batch does not implement the scale"
                          + " subresource"))));

  @Test
  void bothCountAndSpendAlike() {
    worlds.start();
    for (Cluster cluster : worlds.both()) {
      cluster.create(Kinds.NODE, ApiObject.of(Kinds.NODE, "", "disruption"));
      cluster.create(Kinds.JOB, job());
      CASES.forEach(each -> prepare(cluster, each));
    }
    for (Case each : CASES) {
      assertThat(outcome(worlds.real, each)).as(each.name()).isEqualTo(each.toString());
      assertThat(outcome(worlds.ours, each)).as("ours: " + each.name()).isEqualTo(each.toString());
    }
  }

  /** A Job without a controller: its pods are created here. */
  private static ApiObject job() {
    return Worlds.yaml(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: default}
        spec:
          managedBy: example.com/nobody
          template: {spec: {restartPolicy: Never, containers: [{name: c, image: none}]}}
        """
            .formatted(JOB));
  }

  /** The budget comes before its pods: what was never counted is refused for that alone. */
  private static void prepare(Cluster cluster, Case each) {
    cluster.create(
        Kinds.POD_DISRUPTION_BUDGET,
        Worlds.yaml(
            """
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: %s, namespace: default}
            spec: {selector: {matchLabels: {case: %s}}, %s}
            """
                .formatted(each.name(), each.name(), each.budget())));
    Eventually.holds(each.name() + " is counted", () -> budget(cluster, each.name()).isObserved());
    for (int i = 0; i < each.pods().length(); i++) {
      pod(cluster, each.name(), i, each.pods().charAt(i));
    }
  }

  private static PodDisruptionBudget budget(Cluster cluster, String name) {
    return new PodDisruptionBudget(
        cluster.get(Kinds.POD_DISRUPTION_BUDGET.key("default", name)).orElseThrow());
  }

  private static void pod(Cluster cluster, String name, int index, char letter) {
    ApiObject pod =
        Worlds.yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s-%d, namespace: default, labels: {case: %s}}
            spec: {nodeName: disruption, containers: [{name: c, image: none}]}
            """
                .formatted(name, index, name));
    ApiObject job = cluster.get(Kinds.JOB.key("default", JOB)).orElseThrow();
    boolean owned = Character.isUpperCase(letter);
    ApiObject created = cluster.create(Kinds.POD, owned ? pod.controlledBy(job) : pod);
    char state = Character.toLowerCase(letter);
    var ready = new Condition("Ready", state == 'r', "", "");
    Tree status = created.status().with("phase", state == 'p' ? "Pending" : "Running");
    cluster.patchStatus(Kinds.POD, created, ready.in(status, cluster.time().now()));
  }

  /** What the case says, or what differs from it. */
  private static String outcome(Cluster cluster, Case each) {
    String status = Eventually.becomes(each.status(), () -> status(cluster, each.name()));
    var evictions = new ArrayList<String>();
    for (int i = 0; i < each.evictions().size(); i++) {
      evictions.add(evicted(cluster, each, i));
    }
    return new Case(each.name(), each.budget(), each.pods(), status, evictions).toString();
  }

  private static String status(Cluster cluster, String name) {
    PodDisruptionBudget budget = budget(cluster, name);
    Tree status = budget.object().status();
    String allowed =
        Condition.find(status, PodDisruptionBudget.ALLOWED)
            .map(found ->
                "%s %s %s"
                    .formatted(found.text("status"), found.text("reason"), found.text("message")))
            .orElse("");
    return "%d of %d, %d needed, %d may go: %s"
        .formatted(
            budget.currentHealthy(),
            status.whole("expectedPods").orElse(0),
            budget.desiredHealthy(),
            budget.disruptionsAllowed(),
            allowed)
        .strip();
  }

  private static String evicted(Cluster cluster, Case each, int index) {
    var key = Kinds.POD.key("default", each.name() + "-" + index);
    ApiObject eviction =
        Worlds.yaml(
            "{apiVersion: policy/v1, kind: Eviction, metadata: {name: %s, namespace: default}}"
                .formatted(key.name()));
    try {
      cluster.post(key, "eviction", eviction);
      return GOES;
    } catch (ApiException refused) {
      ApiFailure failure = refused.failure();
      var text = new StringBuilder("%d %s".formatted(failure.reason().code(), failure.message()));
      failure
          .causes()
          .forEach(cause -> text.append(" %s: %s".formatted(cause.reason(), cause.message())));
      return failure.retryAfterSeconds() == 0
          ? text.toString()
          : text.append(" after ").append(failure.retryAfterSeconds()).toString();
    }
  }
}
