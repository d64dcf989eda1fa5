package dev.sluice.machine;

import dev.sluice.runtime.ContainerSessions.End;
import dev.sluice.runtime.ContainerSessions.Output;
import dev.sluice.runtime.ContainerSessions.Session;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command that runs beside a container. Nothing of it stays when the session is closed. */
final class CommandSession implements Session {
  private static final Logger LOG = LoggerFactory.getLogger(CommandSession.class);
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);
  private static final int BUFFER = 16 << 10;

  private final InteractiveProcess process;
  private final RunFolder folder;
  private final Runnable closed;
  private final List<Thread> readers;
  private final AtomicBoolean ended = new AtomicBoolean();

  /**
   * @param closed notified once nothing is left
   */
  CommandSession(InteractiveProcess process, RunFolder folder, Output output, Runnable closed) {
    this.process = process;
    this.folder = folder;
    this.closed = closed;
    this.readers =
        process.outputs().entrySet().stream()
            .map(each -> reader(each.getKey(), each.getValue(), output))
            .toList();
  }

  private Thread reader(String stream, InputStream source, Output output) {
    return Thread.ofPlatform()
        .daemon()
        .name(stream + "-of-" + process.process().pid())
        .stackSize(256 << 10)
        .start(() -> {
          byte[] buffer = new byte[BUFFER];
          try (source) {
            for (int count = source.read(buffer); count >= 0; count = source.read(buffer)) {
              output.write(stream, Arrays.copyOf(buffer, count));
            }
          } catch (IOException gone) {
            LOG.debug("the client no longer reads {}", stream, gone);
          }
        });
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    process.write(bytes);
  }

  @Override
  public void endInput() throws IOException {
    process.endInput();
  }

  @Override
  public void resize(int columns, int rows) {
    process.resize(columns, rows);
  }

  @Override
  public End await() throws InterruptedException {
    int exitCode = process.process().waitFor();
    for (Thread reader : readers) {
      // A child that goes on may hold the stream open for ever.
      reader.join(LAST_WORDS);
    }
    return new End(exitCode, ProcessRun.failure(folder));
  }

  @Override
  public void close() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    Signals.sendToGroup(process.process().pid(), Signals.KILL);
    DescendantProcesses.kill(folder.path());
    process.close();
    folder.removeContainer();
    closed.run();
  }
}
