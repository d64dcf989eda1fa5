package dev.sluice.controllers.nodes.local.fields;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StopSignalsTest {

  @ParameterizedTest
  @CsvSource({
    "SIGHUP,1",
    "SIGINT,2",
    "SIGQUIT,3",
    "SIGIOT,6",
    "SIGKILL,9",
    "SIGUSR1,10",
    "SIGUSR2,12",
    "SIGTERM,15",
    "SIGCLD,17",
    "SIGSTOP,19",
    "SIGWINCH,28",
    "SIGPOLL,29",
    "SIGSYS,31",
    "SIGRTMIN,34",
    "SIGRTMIN+1,35",
    "SIGRTMIN+15,49",
    "SIGRTMAX-14,50",
    "SIGRTMAX-1,63",
    "SIGRTMAX,64"
  })
  void signalsHaveTheNumbersOfLinux(String name, int number) {
    assertThat(StopSignals.number(name)).hasValue(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "TERM", "sigterm", "15", "SIGRTMIN+0", "SIGRTMIN+16", "SIGRTMAX-15", "SIGEMT"})
  void unknownNamesAreNoSignals(String name) {
    assertThat(StopSignals.number(name)).isEmpty();
  }
}
