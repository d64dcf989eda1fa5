package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.cluster.EmbeddedCluster;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.visibility.VisibilityApi;
import dev.sluice.kubernetes.serving.AggregatedApi;
import dev.sluice.kubernetes.serving.ApiAddress;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.model.ApiObject;
import dev.sluice.model.CustomDefinition;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.model.kwok.KwokDefinitions;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.VirtualTime;
import dev.sluice.store.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What deploy/ installs agrees with what the manager is and does. */
class DeployTest {
  private static final Path DEPLOY = SluiceProcess.repository().resolve("deploy");
  private static final Path CRDS =
      SluiceProcess.repository().resolve("model/src/main/resources/crds");

  @Test
  void everyDefinitionIsInstalled() throws IOException {
    try (Stream<Path> files = Files.list(CRDS)) {
      List<String> there =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.equals("kustomization.yaml"))
              .toList();

      assertThat(read(CRDS.resolve("kustomization.yaml")).getFirst().textItems("resources"))
          .containsExactlyInAnyOrderElementsOf(there);
      assertThat(there).hasSameSizeAs(KueueDefinitions.all());
    }
  }

  @Test
  void theSimulatorHasTheDefinitionsThatItReads() throws IOException {
    Path definitions = SluiceProcess.repository().resolve("model/src/main/resources/kwok-crds");
    List<String> installed =
        read(definitions.resolve("kustomization.yaml")).getFirst().textItems("resources");

    assertThat(installed.stream().map(file -> read(definitions.resolve(file)).getFirst()))
        .extracting(definition -> definition.text("metadata", "name"))
        .containsExactlyInAnyOrderElementsOf(
            KwokDefinitions.all().stream().map(ApiObject::name).toList());
    Tree role = find("simulated-nodes/account.yaml", "ClusterRole", "sluice-simulator");
    for (ApiObject definition : KwokDefinitions.all()) {
      assertThat(allows(role, new CustomDefinition(definition).kind(), "watch"))
          .as(definition.name())
          .isTrue();
    }
  }

  @Test
  void theSimulatorMayReadWhatItsControllersWatch() {
    assertThat(
            denied(
                find("simulated-nodes/account.yaml", "ClusterRole", "sluice-simulator"),
                Set.of(Group.NODES, Group.NODE_LEASES),
                Configuration.DEFAULT))
        .isEmpty();
  }

  @Test
  void theManagerMayReadWhatItsControllersWatch() {
    Tree role = find("account.yaml", "ClusterRole", "sluice-manager");
    var gates = new TreeMap<String, Boolean>();
    gates.put("FailureRecoveryPolicy", true);

    assertThat(
            denied(
                role,
                Set.of(Group.QUEUEING),
                ConfigurationFile.none(gates, "kueue-system").configuration()))
        .isEmpty();
  }

  /** What controllers watch though a role does not let them. */
  private static Set<String> denied(Tree role, Set<Group> groups, Configuration configuration) {
    var store = Stores.inMemory();
    var time = new VirtualTime(Instant.EPOCH);
    var random = new SplittableRandom(1);
    var cluster =
        new EmbeddedCluster(new StoreRegistry(store, time, random, List.of()), store, time, random);

    Set<String> denied = new TreeSet<>();
    for (var controller : ControllerSet.of(groups, cluster, DecisionLog.NONE, configuration)) {
      for (var trigger : controller.triggers()) {
        if (!allows(role, trigger.kind(), "list") || !allows(role, trigger.kind(), "watch")) {
          denied.add(controller.name() + " watches " + trigger.kind());
        }
      }
    }
    return denied;
  }

  @Test
  void everyKindHasARoleToChangeAndARoleToReadIt() {
    Set<String> missing = new TreeSet<>();
    for (ApiObject definition : KueueDefinitions.all()) {
      String singular = definition.spec().text("names", "singular");
      for (String purpose : List.of("editor", "viewer")) {
        String name = "kueue-" + singular + "-" + purpose + "-role";
        if (read(DEPLOY.resolve("user-roles.yaml")).stream()
            .noneMatch(role -> role.text("metadata", "name").equals(name))) {
          missing.add(name);
        }
      }
    }

    assertThat(missing).isEmpty();
  }

  @Test
  void theServiceAndTheSecretAreTheOnesTheManagerUses() {
    assertThat(find("webhooks.yaml", "Service", Webhooks.SERVICE)).isNotEqualTo(Tree.EMPTY);
    assertThat(
            find("account.yaml", "Role", "sluice-manager").trees("rules").stream()
                .flatMap(rule -> rule.textItems("resourceNames").stream()))
        .contains(Webhooks.SECRET, AggregatedApi.SECRET);
  }

  @Test
  void whatShowsPendingWorkloadsIsInstalledAsTheManagerFillsItIn() {
    assertThat(find("visibility.yaml", "Service", ApiAddress.inside("kueue-system").service()))
        .isNotEqualTo(Tree.EMPTY);
    for (String version : VisibilityApi.VERSIONS) {
      String name = version + "." + VisibilityApi.GROUP;
      assertThat(find("visibility.yaml", "APIService", name).tree("spec").has("service")).isFalse();
      assertThat(
              find("account.yaml", "ClusterRole", "sluice-manager").trees("rules").stream()
                  .flatMap(rule -> rule.textItems("resourceNames").stream()))
          .contains(name);
    }
    for (String queue : List.of("cq", "lq")) {
      find("user-roles.yaml", "ClusterRole", "kueue-pending-workloads-" + queue + "-viewer-role");
    }
  }

  private static boolean allows(Tree role, ResourceKind kind, String verb) {
    return role.trees("rules").stream()
        .anyMatch(rule ->
            rule.textItems("apiGroups").contains(kind.group())
                && rule.textItems("resources").contains(kind.plural())
                && rule.textItems("verbs").contains(verb));
  }

  private static Tree find(String file, String kind, String name) {
    return read(DEPLOY.resolve(file)).stream()
        .filter(one -> one.text("kind").equals(kind))
        .filter(one -> one.text("metadata", "name").equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(file + " has no " + kind + " " + name));
  }

  private static List<Tree> read(Path file) {
    try {
      return Yaml.parseAll(Files.readString(file)).stream().map(Value::asTree).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
