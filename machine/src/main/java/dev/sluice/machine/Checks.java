package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.Check;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
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
  private final HttpClient client =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build();

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
        case Check.Http(String url) -> get(url, timeout);
        case Check.Tcp(String host, int port) -> connect(host, port, timeout);
      };
    } catch (IOException | CannotStartException | IllegalArgumentException failed) {
      return String.valueOf(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
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

  private String get(String url, Duration timeout) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(timeout).build();
    int code = client.send(request, BodyHandlers.discarding()).statusCode();
    return code >= 200 && code < 400 ? "" : "HTTP probe failed with statuscode: " + code;
  }

  private static String connect(String host, int port, Duration timeout) throws IOException {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), (int) timeout.toMillis());
      return "";
    }
  }
}
