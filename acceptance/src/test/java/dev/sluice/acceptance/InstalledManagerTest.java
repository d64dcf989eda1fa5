package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.cluster.EmbeddedCluster;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.VirtualTime;
import dev.sluice.store.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The permissions and the command line of the installed manager. */
class InstalledManagerTest {
  private static final Path DEPLOY = SluiceProcess.repository().resolve("deploy");

  /** What is read where something else happens, beside what controllers watch. */
  private static final List<ResourceKind> READ_BESIDES =
      List.of(Kinds.NAMESPACE, Kinds.LIMIT_RANGE, Kinds.RUNTIME_CLASS, Kinds.PRIORITY_CLASS);

  @Test
  void itMayWatchWhatItReadsAndNothingElse() throws IOException {
    var read = new TreeSet<String>();
    READ_BESIDES.forEach(kind -> read.add(kind.group() + "/" + kind.plural()));
    for (Controller controller : controllers()) {
      controller
          .triggers()
          .forEach(trigger -> read.add(trigger.kind().group() + "/" + trigger.kind().plural()));
    }

    for (String verb : List.of("list", "watch")) {
      assertThat(allowed(verb)).as(verb).isEqualTo(read);
    }
  }

  /** With the gate that has it read more than usual: who opens that need not change the role. */
  private static List<Controller> controllers() {
    var gates = new TreeMap<>(Map.of("FailureRecoveryPolicy", true));
    var store = Stores.inMemory();
    var time = new VirtualTime(Instant.EPOCH);
    var random = new SplittableRandom(1);
    var cluster =
        new EmbeddedCluster(new StoreRegistry(store, time, random, List.of()), store, time, random);
    return ControllerSet.of(
        Set.of(Group.QUEUEING),
        cluster,
        DecisionLog.NONE,
        ConfigurationFile.none(gates, "kueue-system").configuration());
  }

  /** What the manager may do something with, as group and plural. */
  private static Set<String> allowed(String verb) throws IOException {
    var allowed = new TreeSet<String>();
    for (Tree rule : find("account.yaml", "ClusterRole").trees("rules")) {
      if (rule.textItems("verbs").contains(verb)) {
        for (String group : rule.textItems("apiGroups")) {
          rule.textItems("resources").forEach(plural -> allowed.add(group + "/" + plural));
        }
      }
    }
    return allowed;
  }

  @Test
  void itsConfigurationSaysWhatHoldsWithoutOneToo() throws IOException {
    Path file = DEPLOY.resolve("controller_manager_config.yaml");

    var loaded = ConfigurationFile.read(Files.readString(file), new TreeMap<>());

    assertThat(loaded.warnings()).isEmpty();
    assertThat(loaded.configuration()).isEqualTo(Configuration.DEFAULT);
    Tree pod = find("manager.yaml", "Deployment").tree("spec", "template", "spec");
    assertThat(pod.trees("containers").getFirst().textItems("args"))
        .contains("--config=/config/" + file.getFileName());
  }

  @Test
  void itsMetricsAreServedToCallersThatMayReadThem() throws IOException {
    Tree template = find("manager.yaml", "Deployment").tree("spec", "template");
    Tree manager = template.tree("spec").trees("containers").getFirst();
    Tree annotations = template.tree("metadata", "annotations");

    assertThat(manager.textItems("args")).contains("--metrics-address=:8443", "--metrics-auth");
    assertThat(manager.trees("ports")).contains(Tree.of("name", "metrics", "containerPort", 8443));
    assertThat(annotations.text("prometheus.io/port")).isEqualTo("8443");
    assertThat(annotations.text("prometheus.io/scheme")).isEqualTo("https");
    assertThat(allowed("create"))
        .contains(
            "authentication.k8s.io/tokenreviews", "authorization.k8s.io/subjectaccessreviews");
    assertThat(find("metrics.yaml", "ClusterRole").trees("rules"))
        .containsExactly(Tree.of("nonResourceURLs", List.of("/metrics"), "verbs", List.of("get")));
  }

  @Test
  void onlyPortsOfItsOwnAreReachedAndMetricsFromChosenNamespaces() throws IOException {
    Tree spec = find("network-policy.yaml", "NetworkPolicy").tree("spec");
    Tree pod = find("manager.yaml", "Deployment").tree("spec", "template");
    List<Tree> open = spec.trees("ingress").stream().filter(rule -> !rule.has("from")).toList();

    assertThat(spec.tree("podSelector", "matchLabels")).isEqualTo(pod.tree("metadata", "labels"));
    assertThat(spec.trees("ingress").stream().flatMap(InstalledManagerTest::ports))
        .containsExactlyInAnyOrderElementsOf(
            pod.tree("spec").trees("containers").getFirst().trees("ports").stream()
                .map(port -> port.text("name"))
                .toList());
    assertThat(open.stream().flatMap(InstalledManagerTest::ports)).doesNotContain("metrics");
  }

  private static Stream<String> ports(Tree rule) {
    return rule.trees("ports").stream().map(port -> port.text("port"));
  }

  @Test
  void aSlowStartIsNoReasonToKillIt() throws IOException {
    for (String file : List.of("manager.yaml", "simulated-nodes/simulator.yaml")) {
      Tree pod = find(file, "Deployment").tree("spec", "template", "spec");
      Tree startup = pod.trees("containers").getFirst().tree("startupProbe");

      assertThat(
              startup.whole("periodSeconds").orElse(0)
                  * startup.whole("failureThreshold").orElse(0))
          .as(file)
          .isEqualTo(60);
      assertThat(startup.text("httpGet", "path")).isEqualTo("/healthz");
    }
  }

  @Test
  void itAnswersUntilNobodyIsSentToItAnyMore() throws IOException {
    Tree pod = find("manager.yaml", "Deployment").tree("spec", "template", "spec");
    Tree stopping = pod.trees("containers").getFirst().tree("lifecycle", "preStop", "sleep");

    assertThat(stopping.whole("seconds")).hasValue(10);
    assertThat(pod.whole("terminationGracePeriodSeconds")).as("with 30 s to end").hasValue(40);
  }

  private static Tree find(String file, String kind) throws IOException {
    return Yaml.parseAll(Files.readString(DEPLOY.resolve(file))).stream()
        .map(Value::asTree)
        .filter(one -> one.text("kind").equals(kind))
        .findFirst()
        .orElseThrow();
  }
}
