package dev.sluice.store;

import static dev.sluice.store.Samples.pod;

import dev.sluice.model.ObjectKey;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/**
 * The program that {@link CrashTest} kills. It says what it is about to do and what it has done.
 */
final class CrashWriter {
  static final int HISTORY = 500;
  private static final int THREADS = 8;

  private final Store store;
  private final OutputStream out = new FileOutputStream(FileDescriptor.out);

  private CrashWriter(Store store) {
    this.store = store;
  }

  public static void main(String[] arguments) throws IOException {
    Store store = Stores.open(Path.of(arguments[1]), HISTORY);
    if (arguments[0].equals("hold")) {
      System.out.println("open");
      int ignored = System.in.read();
      return;
    }
    var writer = new CrashWriter(store);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < THREADS; i++) {
        String prefix = "r" + arguments[2] + "t" + i + "n";
        threads.execute(() -> writer.run(prefix));
      }
    }
  }

  private void run(String prefix) {
    for (int i = 0; ; i++) {
      ObjectKey key = pod("a", prefix + i);
      say("written " + key.name() + " " + Samples.add(store, key, "x".repeat(i % 50)));
      if (i % 3 == 2) {
        ObjectKey old = pod("a", prefix + (i - 1));
        long seen = Samples.revision(store.snapshot().get(old).orElseThrow());
        say("deleting " + old.name());
        say("deleted " + old.name() + " " + store.delete(old, seen));
      }
    }
  }

  private synchronized void say(String line) {
    try {
      out.write((line + " .\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
