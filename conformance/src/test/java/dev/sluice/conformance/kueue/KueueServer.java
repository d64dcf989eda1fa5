package dev.sluice.conformance.kueue;

import dev.sluice.apiserver.registry.kind.VersionConverter;
import dev.sluice.conformance.ApiClient;
import dev.sluice.conformance.EmbeddedServer;
import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.LocalWebhooks;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.kubernetes.CrdInstaller;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.model.ApiObject;
import dev.sluice.model.CustomDefinition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.KueueConversion;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.RealTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** An API server with our definitions of Kueue's kinds: a real one, or ours. */
final class KueueServer implements AutoCloseable {
  private final String name;
  private final Cluster cluster;
  private final Function<ObjectKey, Optional<ApiObject>> latest;
  private final Path kubeconfig;
  private final Runnable end;

  private KueueServer(
      String name,
      Cluster cluster,
      Function<ObjectKey, Optional<ApiObject>> latest,
      Path kubeconfig,
      Runnable end) {
    this.name = name;
    this.cluster = cluster;
    this.latest = latest;
    this.kubeconfig = kubeconfig;
    this.end = end;
  }

  /** A real Kubernetes, to which versions differ in nothing but their names. */
  static KueueServer real(RealKubernetes kubernetes) {
    var time = new RealTime();
    return real(kubernetes, connect(kubernetes, time), time::close);
  }

  /** A real Kubernetes that lets us convert versions. */
  static KueueServer converting(RealKubernetes kubernetes) {
    var time = new RealTime();
    KubernetesCluster cluster = connect(kubernetes, time);
    var webhooks = new Webhooks(cluster.uncached(), conversion(), time);
    webhooks.serve();
    webhooks.register();
    Kubectl kubectl = kubernetes.kubectl();
    awaitConversion(kubectl);
    return real(
        kubernetes,
        cluster,
        () -> {
          webhooks.unregister();
          webhooks.close();
          time.close();
          awaitNoConversion(kubectl);
        });
  }

  private static KueueServer real(
      RealKubernetes kubernetes, KubernetesCluster cluster, Runnable end) {
    return new KueueServer(
        "the real server",
        cluster,
        key -> cluster.uncached().get(key),
        kubernetes.kubeconfig(),
        () -> {
          end.run();
          cluster.close();
        });
  }

  private static KubernetesCluster connect(RealKubernetes kubernetes, RealTime time) {
    var cluster = RealCluster.of(kubernetes.kubeconfig(), time);
    new CrdInstaller(cluster, Duration.ofSeconds(60)).install(KueueDefinitions.all());
    return cluster;
  }

  private static Webhooks.Settings conversion() {
    return LocalWebhooks.settings(
        List.of(),
        KueueConversion::convert,
        KueueDefinitions.converted().stream()
            .map(plural -> plural + "." + Kinds.WORKLOAD.group())
            .toList());
  }

  /** A server takes about a second to call a new webhook. */
  private static void awaitConversion(Kubectl kubectl) {
    String probe =
        """
        {apiVersion: kueue.x-k8s.io/v1beta1, kind: Workload, metadata: {name: probe}, spec: {
          podSets: [{template: {}}], priority: 1, priorityClassName: known,
          priorityClassSource: kueue.x-k8s.io/workloadpriorityclass}}
        """;
    Eventually.holds(
        "objects are converted",
        () -> {
          kubectl.run("delete", "kwl/probe", "--ignore-not-found");
          kubectl.runWithInput(probe, "create", "-f", "-");
          String path = "jsonpath={.spec.priorityClassRef.name}";
          return kubectl.run("get", "kwl/probe", "-o", path).output().equals("known");
        });
    kubectl.run("delete", "kwl/probe").orFail();
  }

  /** Nor does it stop at once: until then the older versions could not be read. */
  private static void awaitNoConversion(Kubectl kubectl) {
    for (String kind : KueueDefinitions.converted()) {
      String old = kind + ".v1beta1." + Kinds.WORKLOAD.group();
      Eventually.holds(
          kind + " are read as they are",
          () -> kubectl.run("get", old, "-A", "-o", "name").exitCode() == 0);
    }
  }

  /** Our own server, which converts in its process. */
  static KueueServer embedded() {
    try {
      Path folder = Files.createTempDirectory("kueue-server");
      var converter = VersionConverter.ofGroup(Kinds.WORKLOAD.group(), KueueConversion::convert);
      var server = new EmbeddedServer(folder, List.of(converter));
      Cluster cluster = server.cluster();
      KueueDefinitions.all()
          .forEach(definition -> cluster.create(Kinds.CUSTOM_RESOURCE_DEFINITION, definition));
      return new KueueServer(
          "our server", cluster, cluster::get, server.kubeconfig(), server::close);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  Kubectl kubectl() {
    return Kubectl.with(kubeconfig);
  }

  /** For requests as they are. */
  ApiClient client() {
    return new ApiClient(kubeconfig);
  }

  /** A definition as the server has it. */
  ApiObject definition(ApiObject ours) {
    return cluster.get(ours.key(Kinds.CUSTOM_RESOURCE_DEFINITION)).orElseThrow();
  }

  /** Creates or replaces an object, then sets its status if it has one, as controllers do. */
  ApiObject write(ApiObject wanted) {
    ResourceKind kind = kindOf(wanted);
    Optional<ApiObject> seen = latest.apply(wanted.key(kind));
    ApiObject written =
        seen.isPresent()
            ? cluster.update(
                kind, wanted.withMetadata("resourceVersion", seen.get().resourceVersion()))
            : cluster.create(kind, wanted.without(List.of("status")));
    return wanted.status().isEmpty()
        ? written
        : cluster.patchStatus(kind, written, wanted.status());
  }

  /** An object as the server returns it in a version. */
  ApiObject read(ApiObject of, String apiVersion) {
    ResourceKind kind = kindOf(of.with(List.of("apiVersion"), apiVersion));
    return latest.apply(of.key(kind)).orElseThrow();
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
  public String toString() {
    return name;
  }

  @Override
  public void close() {
    end.run();
  }
}
