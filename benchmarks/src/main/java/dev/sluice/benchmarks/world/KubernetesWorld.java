package dev.sluice.benchmarks.world;

import dev.sluice.benchmarks.FailedBenchmark;
import dev.sluice.testkit.KubernetesBinaries;
import dev.sluice.testkit.RealKubernetes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real kube-apiserver and etcd, with {@code sluice manager} beside them, outside the cluster. */
final class KubernetesWorld implements World {
  private static final List<String> PROGRAMS = List.of("kube-apiserver", "etcd");

  private final RealKubernetes kubernetes;
  private final SluiceServer manager;

  KubernetesWorld(SluiceServer.Options options) {
    Path binaries =
        KubernetesBinaries.find().orElseThrow(() -> new FailedBenchmark(KubernetesBinaries.ADVICE));
    this.kubernetes = RealKubernetes.start(binaries);
    try {
      this.manager =
          new SluiceServer(options, "manager", "--kubeconfig", kubernetes.kubeconfig().toString());
    } catch (RuntimeException failed) {
      kubernetes.close();
      throw failed;
    }
  }

  @Override
  public Path kubeconfig() {
    return kubernetes.kubeconfig();
  }

  @Override
  public List<ServerUse> use() {
    var uses = new ArrayList<ServerUse>();
    uses.add(ServerUse.of("sluice manager", manager.handle()));
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
