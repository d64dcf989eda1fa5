package dev.sluice.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The JSON form of the log: one object a line, with {@code timestamp} (RFC 3339, with the offset of
 * this machine's time zone), {@code level}, {@code logger}, {@code thread}, {@code message} and, if
 * there is an exception, {@code stackTrace}. Logback's own encoder writes milliseconds since 1970
 * without a zone, and messages whose arguments are not filled in.
 */
final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);

  @Override
  public byte[] encode(ILoggingEvent event) {
    var time = Instant.ofEpochMilli(event.getTimeStamp()).atZone(ZoneId.systemDefault());
    Tree line =
        Tree.of(
            "timestamp", TIME.format(time),
            "level", event.getLevel().levelStr,
            "logger", event.getLoggerName(),
            "thread", event.getThreadName(),
            "message", event.getFormattedMessage());
    var thrown = event.getThrowableProxy();
    Tree whole =
        thrown == null ? line : line.with("stackTrace", ThrowableProxyUtil.asString(thrown));
    return (Json.write(whole) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }
}
