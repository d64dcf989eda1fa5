package dev.sluice.apiserver.http.limit;

import java.time.Duration;

/**
 * How much the server takes on at once.
 *
 * @param reads requests that only read, watches not counted
 * @param writes requests that change something
 * @param watches open watches
 * @param watchBacklog events that may wait for a watcher that reads slowly before it is dropped
 * @param bodyBytes the size of a request body
 * @param idle how long a connection may neither send nor receive, unless a watch is quiet
 */
public record Limits(
    int reads, int writes, int watches, int watchBacklog, int bodyBytes, Duration idle) {
  public static final Limits NORMAL =
      new Limits(400, 200, 20_000, 10_000, 3 * 1024 * 1024, Duration.ofSeconds(90));
}
