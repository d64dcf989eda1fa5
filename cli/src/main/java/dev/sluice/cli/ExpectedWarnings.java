package dev.sluice.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Keeps out of the log what libraries warn of in normal operation, by the very words. When a watch
 * is closed, the Kubernetes client also says goodbye on the connection, which the server may have
 * ended already; it then logs a stack although nothing is wrong.
 */
public final class ExpectedWarnings extends TurboFilter {
  private static final String CLIENT = "io.fabric8.kubernetes.client.jdkhttp.JdkWebSocketImpl";
  private static final String GOODBYE = "Queued close did not succeed";

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] parameters,
      @Nullable Throwable thrown) {
    return GOODBYE.equals(format) && logger.getName().equals(CLIENT)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
