package dev.sluice.benchmarks.world;

import dev.sluice.conformance.KubernetesBinaries;
import dev.sluice.conformance.RealKubernetes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real kube-apiserver and etcd, and {@code sluice manager} outside of that cluster. */
final class KubernetesWorld implements World {
  private static final List<String> PROGRAMS = List.of("kube-apiserver", "etcd");

  private final RealKubernetes kubernetes;
  private final SluiceServer manager;

  KubernetesWorld(SluiceServer.Options options) {
    this.kubernetes = start();
    try {
      this.manager =
          new SluiceServer(options, "manager", "--kubeconfig", kubernetes.kubeconfig().toString());
    } catch (RuntimeException failed) {
      kubernetes.close();
      throw failed;
    }
  }

  /** A control plane without a manager of queues. */
  static RealKubernetes start() {
    return RealKubernetes.start(installed());
  }

  static Path installed() {
    return KubernetesBinaries.find()
        .orElseThrow(() -> new FailedBenchmark(KubernetesBinaries.ADVICE));
  }

  @Override
  public Path kubeconfig() {
    return kubernetes.kubeconfig();
  }

  @Override
  public List<ServerUse> use() {
    return use(ServerUse.of("sluice manager", manager.handle()));
  }

  /** What a control plane and the manager of its queues use together. */
  static List<ServerUse> use(ServerUse manager) {
    var uses = new ArrayList<ServerUse>();
    uses.add(manager);
    ProcessHandle.current()
        .children()
        .forEach(child ->
            PROGRAMS.stream()
                .filter(program -> child.info().command().orElse("").endsWith("/" + program))
                .forEach(program -> uses.add(ServerUse.of(program, child))));
    return List.copyOf(uses);
  }

  @Override
  public void close() {
    manager.close();
    kubernetes.close();
  }
}
