package dev.sluice.controllers.nodes.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class EnvironmentFileTest {
  private static final String NONE = "none";

  /** A file, and the value of the variable {@code A} in it. */
  record Case(String text, String want) {}

  static final List<Case> CASES =
      List.of(
          new Case("A='a'", "a"),
          new Case("A='a'\nA='b'\n", "a"),
          new Case("# A='x'\n\n  \n\tA = 'a' \r\n", "a"),
          new Case("B='x'\nA='one\ntwo'\n", "one\ntwo"),
          new Case("A=' # $B \\n \"q\" = '", " # $B \\n \"q\" = "),
          new Case("A=''", ""),
          new Case("B='A='\n", NONE),
          new Case("AA='x'\n", NONE),
          new Case("", NONE),
          // What follows does not matter any more.
          new Case("A='a'\nwhat", "a"));

  @ParameterizedTest
  @FieldSource("CASES")
  void isRead(Case c) throws Exception {
    assertThat(EnvironmentFile.value(c.text(), "A").orElse(NONE)).isEqualTo(c.want());
  }

  static final List<String> MALFORMED =
      List.of(
          "\nA=a",
          "\nA=\"a\"",
          "\nA='a''b'",
          "\nA='a'$B",
          "\nA='a' # why",
          "\nA='a",
          "\n='a'",
          "\nA",
          "\nA B='a'",
          "\nexport A='a'");

  @ParameterizedTest
  @FieldSource("MALFORMED")
  void anythingElseIsNotRead(String text) {
    assertThatThrownBy(() -> EnvironmentFile.value(text, "A"))
        .isInstanceOf(MissingException.class)
        .hasMessage("line 2 of the file with key A is not of the form NAME='value'");
  }

  @Test
  @Timeout(10)
  void noFileKeepsItBusyForLong() {
    String spaces = " ".repeat(1 << 20);
    for (String text : List.of(spaces + "x", "A" + spaces + "x", "A=" + spaces, "A='" + spaces)) {
      assertThatThrownBy(() -> EnvironmentFile.value(text, "A"))
          .isInstanceOf(MissingException.class);
    }
  }
}
