package dev.sluice.benchmarks.world;

import dev.sluice.conformance.Installed;
import dev.sluice.conformance.RealKubernetes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** The peer: a real kube-apiserver and etcd, with the Kueue that its own performance tests run. */
final class KueueWorld implements World {
  private final RealKubernetes kubernetes;
  private final Process kueue;

  KueueWorld() {
    Path peer = installed();
    this.kubernetes = KubernetesWorld.start();
    try {
      var kubectl = kubernetes.kubectl();
      kubectl.run("apply", "--server-side", "-f", peer.resolve("crds").toString()).orFail();
      kubectl.run("wait", "--for=condition=Established", "crd", "--all").orFail();
      this.kueue = start(peer.resolve("minimalkueue"));
    } catch (RuntimeException failed) {
      kubernetes.close();
      throw failed;
    }
  }

  static Path installed() {
    return Installed.by("dev/kueue")
        .orElseThrow(() -> new FailedBenchmark("no Kueue here: run dev/kueue once"));
  }

  private Process start(Path program) {
    var builder = new ProcessBuilder(program.toString());
    builder.environment().put("KUBECONFIG", kubernetes.kubeconfig().toString());
    try {
      return builder
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(kubernetes.logs().resolve("kueue.log").toFile())
          .start();
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot start " + program, failed);
    }
  }

  @Override
  public Path kubeconfig() {
    return kubernetes.kubeconfig();
  }

  @Override
  public List<ServerUse> use() {
    return KubernetesWorld.use(ServerUse.of("kueue", kueue.toHandle()));
  }

  @Override
  public void close() {
    kueue.destroy();
    kubernetes.close();
  }
}
