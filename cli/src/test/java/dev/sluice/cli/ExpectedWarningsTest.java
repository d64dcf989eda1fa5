package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.slf4j.LoggerFactory;

class ExpectedWarningsTest {
  private static final String CLIENT = "io.fabric8.kubernetes.client.jdkhttp.JdkWebSocketImpl";
  private static final String VERSIONS =
      "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils";

  record Case(String logger, String message, FilterReply want) {}

  static final List<Case> CASES =
      List.of(
          new Case(CLIENT, "Queued close did not succeed", FilterReply.DENY),
          new Case(
              CLIENT,
              "Aborting WebSocket due to a write error or failure with sendClose",
              FilterReply.DENY),
          new Case(CLIENT, "Queued write did not succeed", FilterReply.NEUTRAL),
          new Case("dev.sluice.Any", "Queued close did not succeed", FilterReply.NEUTRAL));

  @ParameterizedTest
  @FieldSource("CASES")
  void onlyTheExpectedIsLeftOut(Case c) {
    var logger = new LoggerContext().getLogger(c.logger());

    var reply =
        new ExpectedWarnings()
            .decide(null, logger, Level.WARN, c.message(), null, new IllegalStateException());

    assertThat(reply).isEqualTo(c.want());
  }

  @Test
  void theLogOfTheProgramUsesIt() {
    var context = (LoggerContext) LoggerFactory.getILoggerFactory();

    assertThat(context.getTurboFilterList()).hasAtLeastOneElementOfType(ExpectedWarnings.class);
    assertThat(context.getLogger(VERSIONS).isWarnEnabled()).isFalse();
    assertThat(context.getLogger(CLIENT).isWarnEnabled()).isTrue();
  }
}
