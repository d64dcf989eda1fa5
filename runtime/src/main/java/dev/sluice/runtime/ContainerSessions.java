package dev.sluice.runtime;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Optional;

/**
 * Where the containers of a node can be talked to: by a command that is run beside one, by the
 * streams of its own process, or by a port on which it listens.
 *
 * <p>Threads: implementations are safe.
 */
public interface ContainerSessions {

  /** A world without a node whose containers can be talked to. */
  ContainerSessions NONE =
      new ContainerSessions() {
        @Override
        public boolean serves(String node) {
          return false;
        }

        @Override
        public Optional<Session> open(Wish wish, Output output) {
          return Optional.empty();
        }

        @Override
        public Socket connect(String pod, int port) throws IOException {
          throw new IOException("there is no such pod");
        }
      };

  /** Whether it is this one that runs the containers of a node. */
  boolean serves(String node);

  /**
   * Begins a session; empty if the container does not run.
   *
   * @param output takes what is written, on threads of the session
   */
  Optional<Session> open(Wish wish, Output output) throws IOException;

  /**
   * Connects to a port on which a process of a pod listens.
   *
   * @param pod the uid of the pod
   * @throws IOException if none does, in words for users
   */
  Socket connect(String pod, int port) throws IOException;

  /**
   * What is wanted.
   *
   * @param pod the uid of the pod
   * @param command what to run beside the container; empty for a session with the container itself
   * @param input whether something will be written to it
   */
  record Wish(String pod, String container, List<String> command, boolean input, boolean terminal) {
    public Wish {
      command = List.copyOf(command);
    }
  }

  /** Takes what is written to {@code stdout} and {@code stderr}. */
  interface Output {
    void write(String stream, byte[] bytes) throws IOException;
  }

  /**
   * How a session ended.
   *
   * @param failure what went wrong with the session itself, empty if nothing did
   */
  record End(int exitCode, String failure) {}

  /** One session. It must be closed; a command that still runs is ended then. */
  interface Session extends AutoCloseable {
    /** Writes to its input; blocks while that takes nothing. */
    void write(byte[] bytes) throws IOException;

    void endInput() throws IOException;

    /** Sets the size of the window that shows its terminal, if it has one. */
    void resize(int columns, int rows);

    /** Waits until everything was written and nothing more will come. */
    End await() throws InterruptedException;

    @Override
    void close();
  }
}
