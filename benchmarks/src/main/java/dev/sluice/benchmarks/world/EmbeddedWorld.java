package dev.sluice.benchmarks.world;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** {@code sluice up} as users start it, with a durable store in a directory that goes with it. */
final class EmbeddedWorld implements World {
  private final Path directory;
  private final SluiceServer server;

  EmbeddedWorld(SluiceServer.Options options) {
    try {
      this.directory = Files.createTempDirectory("sluice-bench-");
    } catch (IOException failed) {
      throw new UncheckedIOException("no directory for the store", failed);
    }
    this.server =
        new SluiceServer(
            options, "up", "--data-dir", directory.toString(), "--port", "0", "--no-local-node");
  }

  @Override
  public Path kubeconfig() {
    return directory.resolve("kubeconfig");
  }

  @Override
  public List<ServerUse> use() {
    return List.of(ServerUse.of("sluice up", server.handle()));
  }

  @Override
  public void close() {
    server.close();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | UncheckedIOException gone) {
      // a temporary directory that is left over does no harm
    }
  }
}
