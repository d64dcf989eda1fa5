package dev.sluice.apiserver.http.limit;

import java.time.Duration;

/**
 * The limits on the load of the server.
 *
 * @param reads requests in flight that only read, without watches
 * @param writes requests in flight that change something
 * @param watches open watches
 * @param watchBacklog events that may be buffered for a slow watcher before its watch ends
 * @param bodyBytes the size of a request body
 * @param idle the idle timeout of connections, except those of watches
 */
public record Limits(
    int reads, int writes, int watches, int watchBacklog, int bodyBytes, Duration idle) {
  public static final Limits NORMAL =
      new Limits(400, 200, 20_000, 10_000, 3 * 1024 * 1024, Duration.ofSeconds(90));
}
