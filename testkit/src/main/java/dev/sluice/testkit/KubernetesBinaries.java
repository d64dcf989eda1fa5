package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Finds the programs of a real Kubernetes on this machine. Installing them is for people. */
public final class KubernetesBinaries {
  private static final String SCRIPT = "dev/kubernetes";
  private static final List<String> PROGRAMS =
      List.of("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl");
  private static final long PATIENCE_SECONDS = 20;

  /** What to tell a user on whose machine there are none. */
  public static final String ADVICE =
      "no Kubernetes binaries here: run "
          + SCRIPT
          + " once, or point KUBEBUILDER_ASSETS to a folder with "
          + String.join(", ", PROGRAMS);

  private KubernetesBinaries() {}

  /**
   * The folder that holds them all: the one that {@code dev/kubernetes --check} names if this runs
   * somewhere in the repository, else the one that {@code KUBEBUILDER_ASSETS} names.
   */
  public static Optional<Path> find() {
    return repository(Path.of("").toAbsolutePath())
        .map(KubernetesBinaries::check)
        .orElseGet(() ->
            Optional.ofNullable(System.getenv("KUBEBUILDER_ASSETS"))
                .map(Path::of)
                .filter(KubernetesBinaries::isComplete));
  }

  private static Optional<Path> repository(Path start) {
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.isExecutable(folder.resolve(SCRIPT))) {
        return Optional.of(folder);
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> check(Path repository) {
    try {
      Process check =
          new ProcessBuilder(repository.resolve(SCRIPT).toString(), "--check")
              .directory(repository.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      String folder =
          new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!check.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        check.destroyForcibly();
        return Optional.empty();
      }
      return check.exitValue() == 0 ? Optional.of(Path.of(folder)) : Optional.empty();
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot run " + SCRIPT + " in " + repository, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static boolean isComplete(Path folder) {
    return PROGRAMS.stream().allMatch(program -> Files.isExecutable(folder.resolve(program)));
  }
}
