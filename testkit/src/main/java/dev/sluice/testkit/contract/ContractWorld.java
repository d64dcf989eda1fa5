package dev.sluice.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;

/** The fixture of the {@link ClusterContract}: a cluster, a namespace, and objects. */
abstract class ContractWorld {
  static final String FINALIZER = "sluice.dev/contract";
  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  Cluster cluster;
  String namespace;

  /** The cluster under test. */
  protected abstract Cluster cluster();

  /** What the world under test deliberately does without. */
  protected Set<Capability> lacks() {
    return Set.of();
  }

  /**
   * Runs the cluster until the condition holds, and fails if it does not in reasonable time.
   *
   * @param what the condition in words, for the failure's message
   */
  protected abstract void runUntil(String what, BooleanSupplier condition);

  @BeforeEach
  void openNamespace() {
    cluster = cluster();
    namespace = newNamespace();
  }

  String newNamespace() {
    String name = "contract-" + NAMESPACES.incrementAndGet();
    return cluster.create(Kinds.NAMESPACE, ApiObject.of(Kinds.NAMESPACE, "", name)).name();
  }

  static void assertRefused(Reason reason, ThrowingCallable write) {
    ApiException refused = catchThrowableOfType(ApiException.class, write);
    assertThat(refused).as("a refusal with %s", reason).isNotNull();
    assertThat(refused.failure().reason()).as(refused.getMessage()).isEqualTo(reason);
  }

  /** The key of a ConfigMap of the test. */
  ObjectKey key(String name) {
    return Kinds.CONFIG_MAP.key(namespace, name);
  }

  ApiObject configMap(String name, String value) {
    return withValue(ApiObject.of(Kinds.CONFIG_MAP, namespace, name), value);
  }

  static ApiObject withValue(ApiObject configMap, String value) {
    return configMap.with(List.of("data", "value"), value);
  }

  ApiObject lease(String name) {
    return ApiObject.of(Kinds.LEASE, namespace, name)
        .withSpec(Tree.of("holderIdentity", "none", "leaseDurationSeconds", 15));
  }

  ApiObject job(String name) {
    return job(namespace, name);
  }

  /** A suspended Job. */
  static ApiObject job(String namespace, String name) {
    return ApiObject.of(Kinds.JOB, namespace, name)
        .withSpec(Tree.of("suspend", true, "template", Tree.of("spec", podSpec())));
  }

  ApiObject pod(String name) {
    return ApiObject.of(Kinds.POD, namespace, name).withSpec(podSpec());
  }

  private static Tree podSpec() {
    Tree container = Tree.of("name", "main", "image", "none");
    return Tree.of("restartPolicy", "Never", "containers", List.of(container));
  }

  ApiObject binding(ApiObject pod, String node) {
    return ApiObject.of(Kinds.BINDING, namespace, pod.name())
        .withMetadata("uid", pod.uid())
        .with(List.of("target"), Tree.of("apiVersion", "v1", "kind", "Node", "name", node));
  }

  /** A status that a suspended job may have. */
  static Tree suspended(String message) {
    Tree condition =
        Tree.of(
            "type", "Suspended",
            "status", "True",
            "reason", "JobSuspended",
            "message", message,
            "lastProbeTime", "2026-01-01T00:00:00Z",
            "lastTransitionTime", "2026-01-01T00:00:00Z");
    return Tree.of("conditions", List.of(condition));
  }
}
