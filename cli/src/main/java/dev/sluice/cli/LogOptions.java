package dev.sluice.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** The switches of the log, the same for every command that logs. */
final class LogOptions {
  private static final String APPENDER = "STDERR";
  private static final String VARIABLE = "SLUICE_LOG";

  /** The forms of a log line. */
  enum Format {
    text,
    json
  }

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description =
          "The form of the log lines on standard error, one of: ${COMPLETION-CANDIDATES}. Default:"
              + " text")
  private Format format;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      converter = LogLevels.class,
      completionCandidates = LogLevels.class,
      description =
          "The least severe log lines to write, one of: ${COMPLETION-CANDIDATES}. Default:"
              + " $SLUICE_LOG, else warn")
  private Optional<Level> level = Optional.empty();

  /** Sets up the log of this process; to be called before the first line is logged. */
  void apply() {
    Level least = level.orElseGet(() -> defaultLevel(System.getenv()));
    var context = (LoggerContext) LoggerFactory.getILoggerFactory();
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(least);
    var appender = (ConsoleAppender<ILoggingEvent>) root.getAppender(APPENDER);
    appender.clearAllFilters();
    appender.addFilter(threshold(least));
    if (format == Format.json) {
      var encoder = new JsonLogEncoder();
      encoder.setContext(context);
      encoder.start();
      appender.setEncoder(encoder);
    }
  }

  /** The level that holds without a flag. */
  static Level defaultLevel(Map<String, String> environment) {
    String named = environment.getOrDefault(VARIABLE, "");
    return named.isEmpty() ? Level.WARN : Flag.read(VARIABLE, () -> LogLevels.parse(named));
  }

  /**
   * Libraries have levels of their own in logback.xml, which a less talkative log must override.
   */
  private static ThresholdFilter threshold(Level least) {
    var filter = new ThresholdFilter();
    filter.setLevel(least.levelStr);
    filter.start();
    return filter;
  }
}
