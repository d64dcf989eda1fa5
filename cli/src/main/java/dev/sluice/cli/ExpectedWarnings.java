package dev.sluice.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * A filter that keeps out of the log what libraries warn of in normal operation, by the exact
 * message. When a watch is closed, the Kubernetes client also sends a close message on the
 * connection, which the server may have closed already or does not answer; the client then logs a
 * stack trace, or that it gives up, although nothing is wrong. A write that fails has a warning of
 * its own, which stays.
 */
public final class ExpectedWarnings extends TurboFilter {
  private static final String CLIENT = "io.fabric8.kubernetes.client.jdkhttp.JdkWebSocketImpl";
  private static final List<String> GOODBYES =
      List.of(
          "Queued close did not succeed",
          "Aborting WebSocket due to a write error or failure with sendClose");

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] parameters,
      @Nullable Throwable thrown) {
    return format != null && GOODBYES.contains(format) && logger.getName().equals(CLIENT)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
