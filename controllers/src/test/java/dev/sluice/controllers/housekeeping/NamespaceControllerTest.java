package dev.sluice.controllers.housekeeping;

import static dev.sluice.testkit.Worlds.driver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a namespace has from the start, and what becomes of what is in it. */
@Timeout(30)
class NamespaceControllerTest {
  private static final List<ResourceKind> KINDS =
      List.of(Kinds.POD, Kinds.CONFIG_MAP, Kinds.SERVICE_ACCOUNT);

  private final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  @BeforeEach
  void start() {
    driver = driver(cluster, 1, List.of(new NamespaceController(cluster, KINDS)));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private ApiObject addSpace() {
    return cluster.create(Kinds.NAMESPACE, ApiObject.of(Kinds.NAMESPACE, "", "space"));
  }

  private ApiObject add(ResourceKind kind, String name) {
    return cluster.create(kind, ApiObject.of(kind, "space", name));
  }

  private static ObjectKey key(ResourceKind kind, String name) {
    return kind.key("space", name);
  }

  private boolean isThere(ResourceKind kind, String name) {
    return cluster.get(key(kind, name)).isPresent();
  }

  private List<String> conditions() {
    return cluster.require(Kinds.NAMESPACE.key("space")).status().trees("conditions").stream()
        .map(condition ->
            "%s=%s %s: %s"
                .formatted(
                    condition.text("type"),
                    condition.text("status"),
                    condition.text("reason"),
                    condition.text("message")))
        .toList();
  }

  @Test
  void everyNamespaceHasAnAccountForItsPods() {
    ApiObject space = addSpace();
    driver.settle();
    assertThat(isThere(Kinds.SERVICE_ACCOUNT, "default")).isTrue();

    ApiObject account = cluster.require(key(Kinds.SERVICE_ACCOUNT, "default"));
    cluster.delete(Kinds.SERVICE_ACCOUNT, account, Deletion.BACKGROUND);
    driver.settle();
    assertThat(isThere(Kinds.SERVICE_ACCOUNT, "default")).isTrue();

    cluster.delete(Kinds.NAMESPACE, space, Deletion.BACKGROUND);
    driver.settle();
    assertThat(isThere(Kinds.SERVICE_ACCOUNT, "default")).isFalse();
    assertThat(cluster.get(Kinds.NAMESPACE.key("space"))).isEmpty();
  }

  @Test
  void aTerminatingNamespaceIsEmptiedAndGoes() {
    ApiObject space = addSpace();
    add(Kinds.CONFIG_MAP, "c");
    ApiObject held = add(Kinds.POD, "p");
    cluster.update(Kinds.POD, held.withFinalizer("acme.io/hold"));
    ApiObject elsewhere = ApiObject.of(Kinds.CONFIG_MAP, "other-space", "c");
    cluster.create(Kinds.CONFIG_MAP, elsewhere);
    cluster.delete(Kinds.NAMESPACE, space, Deletion.BACKGROUND);
    driver.settle();

    assertThat(isThere(Kinds.CONFIG_MAP, "c")).isFalse();
    assertThat(conditions())
        .containsExactly(
            "NamespaceDeletionDiscoveryFailure=False ResourcesDiscovered: All resources"
                + " successfully discovered",
            "NamespaceDeletionGroupVersionParsingFailure=False ParsedGroupVersions: All legacy kube"
                + " types successfully parsed",
            "NamespaceDeletionContentFailure=False ContentDeleted: All content successfully"
                + " deleted, may be waiting on finalization",
            "NamespaceContentRemaining=True SomeResourcesRemain: Some resources are remaining:"
                + " pods. has 1 resource instances",
            "NamespaceFinalizersRemaining=True SomeFinalizersRemain: Some content in the namespace"
                + " has finalizers remaining: acme.io/hold in 1 resource instances");

    ApiObject pod = cluster.require(key(Kinds.POD, "p"));
    cluster.update(Kinds.POD, pod.withoutFinalizer("acme.io/hold"));
    driver.settle();

    assertThat(cluster.get(Kinds.NAMESPACE.key("space"))).isEmpty();
    assertThat(cluster.list(Kinds.CONFIG_MAP)).hasSize(1);
  }
}
