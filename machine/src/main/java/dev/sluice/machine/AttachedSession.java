package dev.sluice.machine;

import dev.sluice.runtime.ContainerSessions.End;
import dev.sluice.runtime.ContainerSessions.Output;
import dev.sluice.runtime.ContainerSessions.Session;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A session with the process of a container itself. It gets what is written from now on. One that
 * does not keep up is left behind: a container never waits for its listeners.
 */
final class AttachedSession implements Session, ProcessRun.Listener {
  private static final int MAX_BEHIND = 256;
  private static final long PATIENCE_MILLIS = 100;

  /** Something that was heard. */
  private interface Piece {
    void writeTo(Output output) throws IOException;
  }

  private final ProcessRun run;
  private final Output output;
  private final BlockingQueue<Piece> pieces = new ArrayBlockingQueue<>(MAX_BEHIND);
  private volatile boolean tooSlow;

  AttachedSession(ProcessRun run, Output output) {
    this.run = run;
    this.output = output;
    run.listen(this);
  }

  @Override
  public void hear(String stream, byte[] bytes) {
    tooSlow |= !pieces.offer(to -> to.write(stream, bytes));
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    run.process().write(bytes);
  }

  @Override
  public void endInput() throws IOException {
    if (run.launch().streams().once()) {
      run.process().endInput();
    }
  }

  @Override
  public void resize(int columns, int rows) {
    run.process().resize(columns, rows);
  }

  @Override
  public End await() throws InterruptedException {
    try {
      boolean last = false;
      while (!last) {
        last = run.isOver() || tooSlow;
        Piece piece = pieces.poll(last ? 0 : PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (piece != null) {
          piece.writeTo(output);
          last = false;
        }
      }
    } catch (IOException gone) {
      return new End(0, "no listener is left");
    }
    return new End(0, tooSlow ? "the container writes faster than you read: use its logs" : "");
  }

  @Override
  public void close() {
    run.leave(this);
    if (run.launch().streams().once()) {
      try {
        run.process().endInput();
      } catch (IOException ended) {
        // Then its input has ended already.
        return;
      }
    }
  }
}
