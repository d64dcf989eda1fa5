package dev.sluice.conformance.kueue;

import static dev.sluice.conformance.kueue.QueueStage.quota;
import static dev.sluice.conformance.kueue.QueueStage.workloadSpec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.controllers.configuration.ConfigurationFile;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Invalid and deleted queues on a real API server: each has a defined effect, and pending workloads
 * continue once it is corrected.
 */
@RequiresKubernetes
@Timeout(120)
class BadQueuesIT {
  private static QueueStage stage;

  @BeforeAll
  static void start(RealKubernetes kubernetes) {
    stage =
        new QueueStage(
            kubernetes,
            ConfigurationFile.read(
                    """
                    apiVersion: config.kueue.x-k8s.io/v1beta2
                    kind: Configuration
                    fairSharing:
                      preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]
                    """,
                    new TreeMap<>())
                .configuration());
    stage.apply("ResourceFlavor", "bad-plain", "");
  }

  @AfterAll
  static void stop() {
    stage.close();
  }

  @Test
  void aWeightOfZeroBorrowsWhatNobodyElseWantsAndGetsItBack() {
    String borrows = "cohortName: weights, preemption: {reclaimWithinCohort: Any}, fairSharing: ";
    stage.queue("worthless", "bad-plain", "0", borrows + "{weight: \"0\"}");
    stage.queue("worthy", "bad-plain", "0", borrows + "{weight: \"1\"}");
    stage.queue("pool", "bad-plain", "4", "cohortName: weights");
    stage.submit("idle-0", "worthless", 2);
    stage.submit("idle-1", "worthless", 2);
    stage.awaitAdmitted("idle-0", "idle-1");

    stage.submit("busy-0", "worthy", 2);
    stage.submit("busy-1", "worthy", 2);
    stage.awaitAdmitted("busy-0", "busy-1");
    assertThat(stage.isAdmitted("idle-0") || stage.isAdmitted("idle-1")).isFalse();

    stage.end("busy-0");
    stage.end("busy-1");
    stage.awaitAdmitted("idle-0", "idle-1");
  }

  @Test
  void aQueueWithoutResourcesSaysSoUntilItHasSome() {
    stage.apply("ClusterQueue", "empty", "namespaceSelector: {}");
    stage.apply("LocalQueue", "empty", "clusterQueue: empty");
    stage.submit("hopeful", "empty", 1);
    stage.awaitWaiting("hopeful", "resource cpu unavailable in ClusterQueue");

    stage.apply("ClusterQueue", "empty", quota("bad-plain", "1"));

    stage.awaitAdmitted("hopeful");
  }

  @Test
  void aCircleOfCohortsStopsOnlyItsQueuesUntilItIsBroken() {
    stage.queue("inside", "bad-plain", "2", "cohortName: one");
    stage.queue("outside", "bad-plain", "2", "cohortName: other");
    stage.apply("Cohort", "one", "parentName: two");
    stage.apply("Cohort", "two", "parentName: one");
    stage.awaitActive("inside", "False", "cohort");
    stage.submit("in", "inside", 1);
    stage.submit("out", "outside", 1);
    stage.awaitAdmitted("out");
    stage.awaitWaiting("in", "ClusterQueue inside is inactive");

    stage.delete("cohort", "two");

    stage.awaitAdmitted("in");
    stage.awaitActive("inside", "True", "");
  }

  @Test
  void aQuotaBeyondAnyIntegerIsAsGoodAsNoLimit() {
    stage.queue("vast", "bad-plain", "9E", "cohortName: vastness");
    stage.queue("vaster", "bad-plain", "\"9000000000000000000000\"", "cohortName: vastness");
    stage.queue("none", "bad-plain", "0", "cohortName: vastness");
    stage.submit("of-vast", "vast", 3);
    stage.submit("of-vaster", "vaster", 3);
    stage.submit("of-none", "none", 3);

    stage.awaitAdmitted("of-vast", "of-vaster", "of-none");
  }

  @Test
  void negativeAmountsAreRefusedAtTheDoor() {
    stage.queue("positive", "bad-plain", "1", "");

    assertThat(stage.refusal("Workload", "debt", workloadSpec("positive", "{cpu: -1}")))
        .contains("requests", "-1");
    assertThat(stage.refusal("ClusterQueue", "debts", quota("bad-plain", "\"-1\"")))
        .contains("nominalQuota");

    stage.submit("modest", "positive", 1);
    stage.awaitAdmitted("modest");
  }

  @Test
  void aQueueOfAnUnknownFlavorWaitsForIt() {
    stage.queue("early", "bad-later", "2", "");
    stage.submit("patient", "early", 1);
    stage.awaitActive("early", "False", "references missing ResourceFlavor(s): bad-later");

    stage.apply("ResourceFlavor", "bad-later", "");

    stage.awaitAdmitted("patient");
  }

  @Test
  void aQueueDeletedUnderLoadLetsItsWorkFinishAndComesBack() {
    stage.queue("doomed", "bad-plain", "2", "");
    stage.submit("runs", "doomed", 2);
    stage.awaitAdmitted("runs");
    stage.submit("waits", "doomed", 2);

    stage.delete("clusterqueue", "doomed");
    stage.awaitActive("doomed", "False", "");
    assertThat(stage.isAdmitted("runs")).isTrue();
    stage.end("runs");
    Eventually.holds("the queue is gone", () -> !stage.exists("clusterqueue", "doomed"));
    stage.awaitWaiting("waits", "ClusterQueue doomed doesn't exist");

    stage.apply("ClusterQueue", "doomed", quota("bad-plain", "2"));
    stage.awaitAdmitted("waits");
  }

  @Test
  void aFlavorRenamedWhileInUseStaysUntilNobodyNamesIt() {
    stage.apply("ResourceFlavor", "bad-old", "");
    stage.queue("renaming", "bad-old", "2", "");
    stage.submit("before", "renaming", 2);
    stage.awaitAdmitted("before");

    stage.delete("resourceflavor", "bad-old");
    stage.apply("ResourceFlavor", "bad-new", "");
    assertThat(stage.exists("resourceflavor", "bad-old")).isTrue();
    stage.apply("ClusterQueue", "renaming", quota("bad-new", "2"));
    Eventually.holds("the old one is gone", () -> !stage.exists("resourceflavor", "bad-old"));
    stage.submit("after", "renaming", 2);

    stage.awaitAdmitted("after");
    assertThat(stage.isAdmitted("before")).isTrue();
  }
}
