package dev.sluice.benchmarks.queue;

import dev.sluice.benchmarks.world.ApiClient;
import dev.sluice.benchmarks.world.FailedBenchmark;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * One watch of all workloads, from a revision on. Where the server ends it in good order, it goes
 * on where it ended.
 *
 * <p>Threads: the listener is called by one thread.
 */
final class WorkloadWatch implements AutoCloseable {
  private final ApiClient client;
  private final Consumer<Tree> listener;
  private final LoadTimer.Alarm alarm;
  private final Thread reader;
  private volatile boolean closed;
  private String revision;

  WorkloadWatch(ApiClient client, String revision, Consumer<Tree> listener, LoadTimer.Alarm alarm) {
    this.client = client;
    this.revision = revision;
    this.listener = listener;
    this.alarm = alarm;
    this.reader = Thread.ofPlatform().name("bench-watch").daemon().start(this::watch);
  }

  private void watch() {
    try {
      while (!closed) {
        String path = LoadObjects.WORKLOADS + "?watch=true&resourceVersion=" + revision;
        try (var lines =
            new BufferedReader(
                new InputStreamReader(client.watch(path), StandardCharsets.UTF_8), 1 << 16)) {
          read(lines);
        }
      }
    } catch (IOException broken) {
      fail(new FailedBenchmark("the watch of workloads broke: " + broken));
    } catch (RuntimeException failed) {
      fail(failed);
    }
  }

  private void read(BufferedReader lines) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Tree event = Json.parse(line).asTree();
      if (event.text("type").equals("ERROR")) {
        throw new FailedBenchmark("the server ended the watch: " + event.text("object", "message"));
      }
      Tree object = event.tree("object");
      revision = object.text("metadata", "resourceVersion");
      listener.accept(object);
    }
  }

  private void fail(RuntimeException failure) {
    if (!closed) {
      alarm.raise(failure);
    }
  }

  @Override
  public void close() {
    closed = true;
    reader.interrupt();
  }
}
