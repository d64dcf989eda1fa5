package dev.sluice.conformance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The programs of a real Kubernetes on this machine. They are found here, but never installed. */
public final class KubernetesBinaries {
  private static final String SCRIPT = "dev/kubernetes";
  private static final List<String> PROGRAMS =
      List.of("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl");

  /** The advice for a user on whose machine there are none. */
  public static final String ADVICE =
      "no Kubernetes binaries here: run "
          + SCRIPT
          + " once, or point KUBEBUILDER_ASSETS to a folder with "
          + String.join(", ", PROGRAMS);

  private KubernetesBinaries() {}

  /**
   * The directory that has them all: the one that {@code dev/kubernetes --check} prints if this
   * runs in the repository, otherwise that of {@code KUBEBUILDER_ASSETS}.
   */
  public static Optional<Path> find() {
    return Installed.repository(SCRIPT).isPresent()
        ? Installed.by(SCRIPT)
        : Optional.ofNullable(System.getenv("KUBEBUILDER_ASSETS"))
            .map(Path::of)
            .filter(KubernetesBinaries::isComplete);
  }

  private static boolean isComplete(Path folder) {
    return PROGRAMS.stream().allMatch(program -> Files.isExecutable(folder.resolve(program)));
  }
}
