package dev.sluice.conformance.kueue;

import static dev.sluice.model.kueue.KueueConversion.V1BETA1;
import static dev.sluice.model.kueue.KueueConversion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.KueueConversion;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kueue's objects in both versions, and what kubectl shows of them, on a real API server that asks
 * our conversion and on ours.
 */
@RequiresKubernetes
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KueueVersionsIT {
  private final List<KueueServer> servers;

  KueueVersionsIT(RealKubernetes kubernetes) {
    this.servers = List.of(KueueServer.converting(kubernetes), KueueServer.embedded());
  }

  @AfterAll
  void close() {
    servers.forEach(KueueServer::close);
  }

  /** Examples that say all that can be said, in either version. */
  static Stream<ApiObject> examples() {
    return KueueDefinitionsIT.examples()
        .filter(example -> !example.name().equals("profile"))
        .map(example -> example.withMetadata("name", "version-" + example.name()));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void anObjectIsReadInEitherVersion(ApiObject example) {
    ApiObject stored = KueueConversion.convert(example, V1BETA2);
    ApiObject old = KueueConversion.convert(stored, V1BETA1);
    for (KueueServer server : servers) {
      ApiObject answer = server.write(example);

      assertThat(answer.apiVersion()).isEqualTo(example.apiVersion());
      assertThat(missing(stored, server.read(example, V1BETA2))).as("%s", server).isEmpty();
      assertThat(missing(old, server.read(example, V1BETA1))).as("%s", server).isEmpty();
    }
  }

  private static List<String> missing(ApiObject said, ApiObject read) {
    return Subset.missing(said.tree(), read.tree());
  }

  @Test
  void objectWrittenBackInTheOlderVersionStaysTheSame() {
    List<ApiObject> all =
        examples().filter(example -> example.apiVersion().equals(V1BETA2)).toList();
    for (KueueServer server : servers) {
      for (ApiObject example : all) {
        ApiObject named = example.withMetadata("name", "back-and-forth");
        server.write(named);
        ApiObject before = server.read(named, V1BETA2);

        server.write(server.read(named, V1BETA1));

        ApiObject after = server.read(named, V1BETA2);
        ApiObject seen = KueueConversion.convert(before, V1BETA1);
        ApiObject known = KueueConversion.convert(seen, V1BETA2);
        assertThat(after.spec()).as("%s: %s", server, named.kind()).isEqualTo(known.spec());
        // Slices of a topology may be cut anew, so they are compared by what they stand for.
        assertThat(KueueConversion.convert(after, V1BETA1).status()).isEqualTo(seen.status());
      }
    }
  }

  @Test
  void kubectlChangesOneVersionByTheOther() {
    String old = "clusterqueues.v1beta1.kueue.x-k8s.io/spoken";
    for (KueueServer server : servers) {
      Kubectl kubectl = server.kubectl();
      apply(kubectl, "{cohort: a, admissionChecks: [c]}");
      assertThat(read(kubectl, "{.spec.cohortName}{.spec.admissionChecksStrategy}"))
          .as("%s", server)
          .isEqualTo("a{\"admissionChecks\":[{\"name\":\"c\"}]}");

      kubectl.run("patch", old, "--type=merge", "-p", "{\"spec\": {\"cohort\": \"b\"}}").orFail();
      assertThat(read(kubectl, "{.spec.cohortName}")).isEqualTo("b");

      apply(kubectl, "{cohort: c, flavorFungibility: {whenCanBorrow: Borrow}}");
      assertThat(read(kubectl, "{.spec.cohortName} {.spec.flavorFungibility.whenCanBorrow}"))
          .as("%s", server)
          .isEqualTo("c MayStopSearch");
    }
  }

  private static void apply(Kubectl kubectl, String spec) {
    String queue =
        "{apiVersion: kueue.x-k8s.io/v1beta1, kind: ClusterQueue, metadata: {name: spoken}, spec: %s}"
            .formatted(spec);
    Kubectl.Result applied =
        kubectl.runWithInput(
            queue, "apply", "--server-side", "--field-manager=t", "--force-conflicts", "-f", "-");
    applied.orFail();
    assertThat(applied.error()).contains("use kueue.x-k8s.io/v1beta2 ClusterQueue");
  }

  private static String read(Kubectl kubectl, String path) {
    return kubectl.read("cq/spoken", path);
  }

  /**
   * Each check controller owns its entry, and removes no other:
   * docs/specification/workload-lifecycle.md#entries-belong-to-their-controllers.
   */
  @Test
  void appliedCheckTakesNothingFromOtherManagers() {
    for (KueueServer server : servers) {
      Kubectl kubectl = server.kubectl();
      String workload = "{spec: {podSets: [{template: {}}]}}";
      server.write(KueueLimitsIT.object("Workload", "checked", workload));

      applyCheck(kubectl, "v1beta2", "first", "{name: a, state: Pending}");
      applyCheck(kubectl, "v1beta1", "second", "{name: b, state: Ready}");
      applyCheck(kubectl, "v1beta2", "first", "{name: a, state: Ready}");
      assertThat(states(kubectl)).as("%s", server).isEqualTo("a=Ready b=Ready ");

      applyCheck(kubectl, "v1beta1", "second", "");
      assertThat(states(kubectl)).as("%s", server).isEqualTo("a=Ready ");
    }
  }

  private static void applyCheck(Kubectl kubectl, String version, String manager, String check) {
    String entry = check.replace("}", ", message: '', lastTransitionTime: '2026-01-02T03:04:05Z'}");
    String object =
        """
        {apiVersion: kueue.x-k8s.io/%s, kind: Workload, metadata: {name: checked, namespace: default},
         status: {admissionChecks: [%s]}}
        """
            .formatted(version, entry);
    kubectl
        .runWithInput(
            object,
            "apply",
            "--server-side",
            "--subresource=status",
            "--field-manager=" + manager,
            "-f",
            "-")
        .orFail();
  }

  private static String states(Kubectl kubectl) {
    return kubectl.read("kwl/checked", "{range .status.admissionChecks[*]}{.name}={.state} {end}");
  }

  /** What kubectl shows of the example of a kind, without its age. */
  record Shown(String arguments, String columns, String row) {
    @Override
    public String toString() {
      return arguments;
    }
  }

  static final List<Shown> SHOWN =
      List.of(
          new Shown("cq full", "NAME|COHORT|PENDING WORKLOADS", "full|research|3"),
          new Shown(
              "cq full -o wide",
              "NAME|COHORT|STRATEGY|PENDING WORKLOADS|ADMITTED WORKLOADS",
              "full|research|StrictFIFO|3|1"),
          new Shown(
              "clusterqueues.v1beta1.kueue.x-k8s.io full",
              "NAME|COHORT|PENDING WORKLOADS",
              "full|research|3"),
          new Shown(
              "lq full", "NAME|CLUSTERQUEUE|PENDING WORKLOADS|ADMITTED WORKLOADS", "full|full|3|1"),
          new Shown(
              "kwl full", "NAME|QUEUE|RESERVED IN|ADMITTED|FINISHED|AGE", "full|full|full|AGE"),
          new Shown("wpc full", "NAME|VALUE", "full|-5"),
          new Shown("mkc full", "NAME|CONNECTED|AGE", "full|True|AGE"),
          new Shown("co full", "NAME|AGE", "full|AGE"),
          new Shown("rf full", "NAME|AGE", "full|AGE"));

  @ParameterizedTest
  @FieldSource("SHOWN")
  void kubectlShowsKueuesColumns(Shown shown) {
    var arguments =
        Stream.concat(Stream.of("get"), Arrays.stream(shown.arguments().split(" ", -1)));
    String[] command = arguments.toArray(String[]::new);
    for (KueueServer server : servers) {
      writeExamples(server);

      List<String> lines = server.kubectl().run(command).orFail().lines().toList();

      assertThat(cells(lines.getFirst())).as("%s", server).isEqualTo(shown.columns());
      assertThat(cells(lines.getLast()).replaceAll("\\|[0-9smh]+s$", "|AGE"))
          .as("%s", server)
          .isEqualTo(shown.row());
    }
  }

  private static void writeExamples(KueueServer server) {
    KueueDefinitionsIT.examples()
        .filter(example -> example.name().equals("full"))
        .forEach(server::write);
  }

  /** Columns are at least three blanks apart; those without a value leave none behind. */
  private static String cells(String line) {
    return line.strip().replaceAll("\\s{2,}", "|");
  }

  @Test
  void everyKindHasItsShortNames() {
    List<String> names =
        List.of(
            "cq",
            "co",
            "queue",
            "queues",
            "lq",
            "kwl",
            "kueueworkload",
            "kueueworkloads",
            "flavor",
            "flavors",
            "rf",
            "ac",
            "wpc",
            "topo",
            "prc",
            "mkc",
            "mkconf");
    String[] command =
        Stream.of(
                Stream.of("get"),
                names.stream().map(name -> name + "/full"),
                Stream.of("-o", "jsonpath={range .items[*]}{.kind} {end}"))
            .flatMap(part -> part)
            .toArray(String[]::new);
    for (KueueServer server : servers) {
      writeExamples(server);

      assertThat(server.kubectl().run(command).orFail().strip())
          .as("%s", server)
          .isEqualTo(
              "ClusterQueue Cohort LocalQueue LocalQueue LocalQueue Workload Workload Workload"
                  + " ResourceFlavor ResourceFlavor ResourceFlavor AdmissionCheck"
                  + " WorkloadPriorityClass Topology ProvisioningRequestConfig MultiKueueCluster"
                  + " MultiKueueConfig");
    }
  }
}
