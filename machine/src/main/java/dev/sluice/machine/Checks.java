package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.Check;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Finds out how containers are. Threads: safe; a check blocks its thread. */
final class Checks {

  /** Prepares the process of a check. */
  interface Commands {
    ProcessBuilder prepare(RunId id, Launch launch, Optional<Path> cgroup)
        throws IOException, CannotStartException;
  }

  private final Commands commands;

  Checks(Commands commands) {
    this.commands = commands;
  }

  /**
   * What is wrong, empty if nothing is.
   *
   * @param cgroup that of the container, in which commands are run too
   */
  String ask(Check check, RunId id, Optional<Path> cgroup, Duration timeout) {
    try {
      return switch (check) {
        case Check.Command(Launch launch) -> run(id, launch, cgroup, timeout);
        case Check.Http page -> judged(HttpProbe.ask(page, timeout));
        case Check.Grpc question -> GrpcProbe.ask(question, timeout);
        case Check.Tcp(String host, int port) -> connect(host, port, timeout);
      };
    } catch (IOException | CannotStartException | IllegalArgumentException failed) {
      String why = failed.getMessage() == null ? failed.toString() : failed.getMessage();
      return place(check) + why;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /** Where a check looks, to be said before what is wrong there. */
  private static String place(Check check) {
    return switch (check) {
      case Check.Command _ -> "";
      case Check.Http page -> page.url() + ": ";
      case Check.Grpc question -> question.host() + ":" + question.port() + ": ";
      case Check.Tcp question -> question.host() + ":" + question.port() + ": ";
    };
  }

  private String run(RunId id, Launch launch, Optional<Path> cgroup, Duration timeout)
      throws IOException, CannotStartException, InterruptedException {
    Process process =
        commands
            .prepare(id, launch, cgroup)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    boolean ended = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
    Signals.sendToGroup(process.pid(), Signals.KILL);
    if (!ended) {
      return "command timed out after " + timeout.toSeconds() + "s";
    }
    return process.exitValue() == 0 ? "" : "command ended with exit code " + process.exitValue();
  }

  private static String judged(int code) {
    return code >= 200 && code < 400 ? "" : "HTTP probe failed with statuscode: " + code;
  }

  /** Asks for a page, whatever the answer says; returns how that ended. */
  static State.Ended call(Check.Http page, Duration timeout, Instant started) {
    String failure = "";
    try {
      int ignored = HttpProbe.ask(page, timeout);
    } catch (IOException | IllegalArgumentException failed) {
      failure = String.valueOf(failed);
    }
    boolean well = failure.isEmpty();
    return new State.Ended(
        well ? 0 : 1, well ? "Completed" : "Error", failure, started, Instant.now());
  }

  private static String connect(String host, int port, Duration timeout) throws IOException {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), (int) timeout.toMillis());
      return "";
    }
  }
}
