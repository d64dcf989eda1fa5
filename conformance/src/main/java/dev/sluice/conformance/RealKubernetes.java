package dev.sluice.conformance;

import dev.sluice.model.GoDuration;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real Kubernetes control plane for tests: etcd and kube-apiserver, and on request
 * kube-controller-manager and kube-scheduler. It listens on loopback only, keeps everything in one
 * temporary directory, and ends with the test run.
 *
 * <p>There is no kubelet: nodes are objects that a test creates and whose status it writes, and
 * they stay as they are, because the grace period of heartbeats is an hour. Pods need no service
 * account.
 *
 * <p>Threads: one thread starts and stops it; any thread may use it.
 */
public final class RealKubernetes implements AutoCloseable {

  /** The optional programs, in addition to etcd and kube-apiserver. */
  public enum Part {
    CONTROLLER_MANAGER("kube-controller-manager"),
    SCHEDULER("kube-scheduler");

    private final String program;

    Part(String program) {
      this.program = program;
    }
  }

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  private final Path binaries;
  private final List<String> apiServerArguments;
  private final ControlPlaneFiles files;
  private final Thread lastResort = new Thread(this::end, "real-kubernetes-end");
  private final List<ServerProcess> backend = new ArrayList<>();
  private final Map<Part, ServerProcess> parts = new EnumMap<>(Part.class);
  private @Nullable ServerProcess apiServer;

  private RealKubernetes(Path binaries, List<String> more, ControlPlaneFiles files) {
    this.binaries = binaries;
    this.files = files;
    this.apiServerArguments =
        Stream.concat(files.apiServerArguments().stream(), more.stream()).toList();
  }

  /** Starts a control plane with the programs in a directory; returns once it is ready for use. */
  public static RealKubernetes start(Path binaries, Part... parts) {
    return start(binaries, List.of(), parts);
  }

  /** The same with additional arguments of the API server. */
  public static RealKubernetes start(Path binaries, List<String> more, Part... parts) {
    var kubernetes = new RealKubernetes(binaries, more, ControlPlaneFiles.create());
    Runtime.getRuntime().addShutdownHook(kubernetes.lastResort);
    try {
      kubernetes.backend.add(
          ServerProcess.start(
              binaries, "etcd", kubernetes.files.etcdArguments(), kubernetes.files.folder()));
      kubernetes.startApiServer();
      for (Part part : new TreeSet<>(List.of(parts))) {
        kubernetes.start(part);
      }
      return kubernetes;
    } catch (RuntimeException failed) {
      kubernetes.close();
      throw failed;
    }
  }

  /** Starts a part that does not run yet, with additional arguments. */
  public void start(Part part, String... more) {
    var arguments =
        new ArrayList<>(
            switch (part) {
              case CONTROLLER_MANAGER -> files.controllerManagerArguments();
              case SCHEDULER -> files.schedulerArguments();
            });
    arguments.addAll(List.of(more));
    parts.put(part, ServerProcess.start(binaries, part.program, arguments, files.folder()));
  }

  /** Starts the API server again after {@link #stopApiServer}, on the same address and data. */
  public void startApiServer() {
    if (apiServer != null) {
      return;
    }
    ServerProcess started =
        ServerProcess.start(binaries, "kube-apiserver", apiServerArguments, files.folder());
    apiServer = started;
    // The server writes its certificate on its first start; the kubeconfig file refers to it.
    await(started, "to write its certificate", files::hasCertificate);
    awaitReady(started);
  }

  /** Kills the API server, as an outage would. The data stays. */
  public void stopApiServer() {
    if (apiServer != null) {
      apiServer.close();
      apiServer = null;
    }
  }

  /** Freezes the API server: requests hang until {@link #thawApiServer}. */
  public void freezeApiServer() {
    if (apiServer != null) {
      apiServer.signal("STOP");
    }
  }

  /** Resumes a frozen API server. */
  public void thawApiServer() {
    if (apiServer != null) {
      apiServer.signal("CONT");
    }
  }

  private void awaitReady(ServerProcess started) {
    Config config = Config.fromKubeconfig(kubeconfig().toFile());
    config.setRequestRetryBackoffLimit(0);
    var builder =
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientFactory(new JdkHttpClientFactory());
    try (var client = builder.build()) {
      await(
          started,
          "to be ready",
          () -> {
            try {
              return "ok".equals(client.raw("/readyz"))
                  && client.raw("/api/v1/namespaces/default") != null;
            } catch (KubernetesClientException notYet) {
              return false;
            }
          });
    }
  }

  private static void await(ServerProcess server, String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "waited %s in vain for kube-apiserver %s:%n%s"
                .formatted(GoDuration.format(PATIENCE), what, server.tail()));
      }
      server.pause(BETWEEN_LOOKS);
    }
  }

  /** The kubeconfig file of an administrator. */
  public Path kubeconfig() {
    return files.kubeconfig();
  }

  /** The kubeconfig file of a user, "ordinary", who may do only what RBAC says. */
  public Path kubeconfigOfOrdinaryUser() {
    return files.kubeconfigOfOrdinaryUser();
  }

  /** The same kubectl as that ordinary user. */
  public Kubectl kubectlOfOrdinaryUser() {
    return new Kubectl(binaries.resolve("kubectl"), kubeconfigOfOrdinaryUser());
  }

  /** The certificate by which the API server is known. */
  public Path certificate() {
    return files.certificate();
  }

  /** The address of the API server. */
  public String server() {
    return files.server();
  }

  /** The directory with the logs, one {@code program.log} each. */
  public Path logs() {
    return files.folder();
  }

  /** The kubectl of this control plane, as the administrator. */
  public Kubectl kubectl() {
    return new Kubectl(binaries.resolve("kubectl"), kubeconfig());
  }

  /** Ends every program and deletes every file. Closing twice is fine. */
  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(lastResort);
    } catch (IllegalStateException alreadyShuttingDown) {
      // then the hook has run, or runs now
    }
  }

  private void end() {
    parts.values().forEach(ServerProcess::close);
    stopApiServer();
    backend.forEach(ServerProcess::close);
    files.delete();
  }
}
