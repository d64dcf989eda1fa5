package dev.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;

/** What is said to a command line that cannot be measured. */
class MainTest {
  record Case(String line, String want) {}

  static final List<Case> CASES =
      List.of(
          new Case("quick", "there is no command 'quick'. See './sluice bench help'."),
          new Case("queue --scale 0", "--scale 0.0 is none: it must be above 0."),
          new Case("queue --timeout 0", "--timeout 0 is none: it must be a second at least."),
          new Case("queue --shape round", "--shape round is not known; there are [baseline, "),
          new Case("queue --world kueue --beside-kueue", "choose another --world."),
          new Case("scheduler --nodes 0", "--pods 100000 on --nodes 0: there must be one of each"),
          new Case("scheduler --peer-pods=-1", "--peer-pods -1: give a number of pods, or 0"),
          new Case("indexed-job --nodes 3", "--pods 100000 on --nodes 3: there must be at least"),
          new Case("nodes --classes=-1", "--classes -1 is none: it must be 0 or more."));

  @ParameterizedTest
  @FieldSource("CASES")
  void namesTheFlagTheValueAndTheWayOut(Case c) {
    var err = new StringWriter();
    CommandLine command = Main.commandLine().setErr(new PrintWriter(err, true));

    assertThat(command.execute(c.line().split(" ", -1))).isEqualTo(2);
    assertThat(err.toString()).startsWith("sluice bench: ").contains(c.want()).hasLineCount(1);
  }
}
