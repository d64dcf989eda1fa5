package dev.sluice.testkit;

import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.CrdInstaller;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiObject;
import dev.sluice.model.CustomDefinition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.runtime.RealTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** A real Kubernetes with our definitions of Kueue's kinds. */
final class KueueOnKubernetes implements AutoCloseable {
  private final RealTime time = new RealTime();
  private final KubernetesCluster cluster;

  KueueOnKubernetes(RealKubernetes kubernetes) {
    this.cluster =
        new KubernetesCluster(
            Connection.kubeconfig(kubernetes.kubeconfig()), time, new SplittableRandom(1));
    new CrdInstaller(cluster, Duration.ofSeconds(60)).install(KueueDefinitions.all());
  }

  /** A definition as the server has it. */
  ApiObject definition(ApiObject ours) {
    return cluster.get(ours.key(Kinds.CUSTOM_RESOURCE_DEFINITION)).orElseThrow();
  }

  /** Creates or replaces an object, then sets its status if it has one, as controllers do. */
  ApiObject write(ApiObject wanted) {
    ResourceKind kind = kindOf(wanted);
    Optional<ApiObject> seen = cluster.get(wanted.key(kind));
    ApiObject written =
        seen.isPresent()
            ? cluster.update(
                kind, wanted.withMetadata("resourceVersion", seen.get().resourceVersion()))
            : cluster.create(kind, wanted.without(List.of("status")));
    return wanted.status().isEmpty()
        ? written
        : cluster.patchStatus(kind, written, wanted.status());
  }

  private static ResourceKind kindOf(ApiObject object) {
    ResourceKind stored =
        KueueDefinitions.all().stream()
            .map(definition -> new CustomDefinition(definition).kind())
            .filter(kind -> kind.kind().equals(object.kind()))
            .findFirst()
            .orElseThrow();
    String version = object.apiVersion().substring(stored.group().length() + 1);
    return new ResourceKind(
        stored.group(), version, stored.kind(), stored.plural(), stored.namespaced());
  }

  @Override
  public void close() {
    cluster.close();
    time.close();
  }
}
