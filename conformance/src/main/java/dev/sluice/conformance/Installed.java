package dev.sluice.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The programs that the scripts in the repository's dev/ have installed on this machine. */
public final class Installed {
  private static final long PATIENCE_SECONDS = 20;

  private Installed() {}

  /** The directory that the script prints with {@code --check}, if the installation is complete. */
  public static Optional<Path> by(String script) {
    return repository(script).flatMap(repository -> check(repository, script));
  }

  /** The directory at or above the working directory that has the script. */
  static Optional<Path> repository(String script) {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isExecutable(folder.resolve(script))) {
        return Optional.of(folder);
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> check(Path repository, String script) {
    try {
      Process check =
          new ProcessBuilder(repository.resolve(script).toString(), "--check")
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
      throw new UncheckedIOException("cannot run " + script + " in " + repository, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
