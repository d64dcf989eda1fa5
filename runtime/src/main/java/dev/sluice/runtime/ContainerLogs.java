package dev.sluice.runtime;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where what the containers of a node wrote can be read.
 *
 * <p>Threads: implementations are safe.
 */
public interface ContainerLogs {

  /** A world without a node that keeps logs. */
  ContainerLogs NONE =
      new ContainerLogs() {
        @Override
        public boolean keeps(String node) {
          return false;
        }

        @Override
        public boolean has(LogRequest question) {
          return false;
        }

        @Override
        public void copy(LogRequest question, Sink sink) {
          throw new IllegalStateException("no logs are kept here");
        }
      };

  /** Whether it is this one that keeps the logs of a node. */
  boolean keeps(String node);

  /** Whether there is such a log, however little is in it. */
  boolean has(LogRequest question);

  /**
   * Copies what was asked for, and goes on while the container runs if that was asked for too.
   * Returns early once {@code sink} wants no more. Where there is no such log, nothing is copied.
   */
  void copy(LogRequest question, Sink sink) throws IOException, InterruptedException;

  /**
   * Which lines are wanted.
   *
   * @param pod the uid of the pod
   * @param stream {@code stdout}, {@code stderr}, or empty for both
   * @param previous whether it is the run before the latest one
   * @param follow whether to wait for more while the container runs
   */
  record LogRequest(
      String pod,
      String container,
      String stream,
      boolean previous,
      boolean follow,
      boolean timestamps,
      Optional<Instant> since,
      OptionalLong lines,
      OptionalLong bytes) {}

  /** Takes the parts of a log. */
  interface Sink {
    void write(byte[] bytes) throws IOException;

    /** Whether the reader has gone. */
    boolean isAbandoned();
  }
}
