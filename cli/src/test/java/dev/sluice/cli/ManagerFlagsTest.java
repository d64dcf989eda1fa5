package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags of a manager that do not go together, and what is said then. */
class ManagerFlagsTest {
  @TempDir Path folder;
  private ManagerPlans plans;

  @BeforeEach
  void prepare() {
    plans = new ManagerPlans(folder);
  }

  @Test
  void aSchedulerBesideOthersHasAName() throws IOException {
    String scheduling = "--controllers=scheduling";

    assertThat(plans.planOf(List.of(scheduling)).scheduling())
        .isEqualTo(SchedulerConfiguration.DEFAULT);
    assertThat(plans.planOf(List.of(scheduling, "--scheduler-name=batch")).scheduling().names())
        .containsExactly("batch");
    assertThatThrownBy(() -> plans.planOf(List.of("--scheduler-name=batch")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("add scheduling to --controllers");
  }

  @Test
  void kubeSchedulersFileHasProfiles() throws IOException {
    String head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
    Path file =
        Files.writeString(
            folder.resolve("scheduler.yaml"),
            head + "parallelism: 3\nprofiles: [{schedulerName: a}, {schedulerName: b}]\n");
    String option = "--scheduler-config=" + file;
    String scheduling = "--controllers=scheduling";

    assertThat(plans.planOf(List.of(option, scheduling)).scheduling().names())
        .containsExactly("a", "b");
    assertThat(plans.errors()).contains("scheduler.yaml: parallelism: has no effect");
    assertThatThrownBy(() -> plans.planOf(List.of(option)))
        .hasMessageContaining("--scheduler-config has no effect: add scheduling to --controllers");
    assertThatThrownBy(() -> plans.planOf(List.of(option, scheduling, "--scheduler-name=c")))
        .hasMessageContaining("--scheduler-name has no effect together with --scheduler-config");
    Files.writeString(file, head + "percentageOfNodesToScore: 200\n");
    assertThatThrownBy(() -> plans.planOf(List.of(option, scheduling)))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("scheduler.yaml: percentageOfNodesToScore: 200 is not a whole");
  }

  @Test
  void schedulerAloneLeadsAsKubeSchedulersFileSays() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("scheduler.yaml"),
            "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration,"
                + " leaderElection: {resourceName: batch, leaseDuration: 30s}}");
    String option = "--scheduler-config=" + file;
    String scheduling = "--controllers=scheduling";

    ManagerPlan.Election election =
        plans.planOf(List.of(option, scheduling)).election().orElseThrow();
    assertThat(election.lease()).isEqualTo(Kinds.LEASE.key("kueue-system", "batch"));
    assertThat(election.terms().lease()).isEqualTo(Duration.ofSeconds(30));
    assertThat(plans.planOf(List.of(option, scheduling, "--no-leader-elect")).election()).isEmpty();
    assertThat(plans.errors()).isEmpty();

    ManagerPlan more = plans.planOf(List.of(option, "--controllers=scheduling,nodes"));
    assertThat(more.election().orElseThrow().lease().name()).isEqualTo("sluice-scheduling-nodes");
    assertThat(plans.errors()).contains("scheduler.yaml: leaderElection: has no effect");
    assertThat(plans.plan("", option, scheduling).election().orElseThrow().lease().name())
        .as("Kueue's file decides")
        .isEqualTo("sluice-scheduling");
  }

  @Test
  void schedulerAloneHasALeaseUnlessTheFileNamesOne() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("scheduler.yaml"),
            "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration,"
                + " leaderElection: {resourceNamespace: there}}");

    assertThat(
            plans
                .planOf(List.of("--scheduler-config=" + file, "--controllers=scheduling"))
                .election()
                .map(ManagerPlan.Election::lease))
        .contains(Kinds.LEASE.key("there", "sluice-scheduling"));
  }

  @ParameterizedTest
  @CsvSource({
    "--webhook-port=7,add queueing or nodes to --controllers",
    "--webhook-url=https://here,add queueing or nodes to --controllers",
    "--visibility-port=7,add queueing to --controllers"
  })
  void aFlagThatNothingUsesIsRefused(String flag, String advice) throws IOException {
    assertThat(plans.planOf(List.of(flag)).groups()).containsExactly(Group.QUEUEING);
    assertThatThrownBy(() -> plans.planOf(List.of(flag, "--controllers=scheduling")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(flag.replaceAll("=.*", "") + " has no effect: " + advice);
  }

  @ParameterizedTest
  @CsvSource({
    "--webhook-port=70000,--webhook-port 70000 is none: it must be from 0 to 65535",
    "--visibility-port=-1,--visibility-port -1 is none: it must be from 0 to 65535",
    "--webhook-url=http://here,'--webhook-url: \"http://here\" is no address for webhooks'",
    "--health-address=here,'--health-address: \"here\" is not HOST:PORT or :PORT'",
    "--metrics-auth,'--metrics-auth has no effect without metrics: give --metrics-address'",
    "--metrics-address=:x,'--metrics-address: \":x\" is not HOST:PORT or :PORT'",
    "--metrics-address=:70000,'--metrics-address: port 70000 is none'"
  })
  void aValueThatIsNoneIsNamedWithItsFlag(String flag, String want) {
    assertThatThrownBy(() -> plans.planOf(List.of(flag)))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(want);
  }

  @Test
  void aCipherSuiteThatJavaDoesNotHaveIsRefused() {
    assertThatThrownBy(() -> plans.plan("tls: {cipherSuites: [TLS_MINE]}"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("tls.cipherSuites: this Java does not have \"TLS_MINE\"; it has");
  }

  @Test
  void promisesAreCheckedOnlyBesideTheQueueing() throws IOException {
    assertThat(plans.planOf(List.of("--controllers", "queueing,invariants")).groups())
        .containsExactlyInAnyOrder(Group.QUEUEING, Group.INVARIANTS);
    for (var alone :
        List.of(
            List.of("--controllers", "jobs,invariants"),
            List.of("--controllers", "jobs", "--check-invariants"))) {
      assertThatThrownBy(() -> plans.planOf(alone))
          .isInstanceOf(UserError.class)
          .hasMessageContaining("add queueing to --controllers");
    }
  }

  @Test
  void managerWithIpv6OnlyCannotServePendingWorkloads() throws IOException {
    ManagerPlan unreached = plans.planOf(List.of("--webhook-url=https://[::1]"));

    assertThat(unreached.visibility()).isEmpty();
    assertThat(unreached.cannotShowWhoWaits()).isTrue();
    assertThat(plans.planOf(List.of("--webhook-url=https://here")).cannotShowWhoWaits()).isFalse();
    assertThat(
            plans
                .plan("featureGates: {VisibilityOnDemand: false}", "--webhook-url=https://[::1]")
                .cannotShowWhoWaits())
        .isFalse();
  }

  @Test
  void twoNamespacesAreOneTooMany() throws IOException {
    assertThat(plans.plan("namespace: batch", "--namespace=batch").namespace()).isEqualTo("batch");
    assertThatThrownBy(() -> plans.plan("namespace: batch", "--namespace=other"))
        .hasMessageContaining("--namespace is other, but the file's namespace is batch");
  }

  @Test
  void kwoksFileIsForNodes() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("kwok.yaml"),
            "{apiVersion: config.kwok.x-k8s.io/v1alpha1, kind: KwokConfiguration, options:"
                + " {manageAllNodes: true, tlsCertFile: x}}");
    String option = "--kwok-config=" + file;

    assertThatThrownBy(() -> plans.planOf(List.of(option)))
        .hasMessageContaining("--kwok-config has no effect: add nodes to --controllers");
    ManagerPlan plan = plans.planOf(List.of(option, "--controllers=nodes"));

    assertThat(plan.kwok().settings().manages(ApiObject.of(Kinds.NODE, "", "any"))).isTrue();
    assertThat(plans.errors()).contains("kwok.yaml: options.tlsCertFile has no effect");
    assertThatThrownBy(() -> plans.planOf(List.of("--kwok-config=missing", "--controllers=nodes")))
        .hasMessageContaining("there is no file missing");
  }
}
