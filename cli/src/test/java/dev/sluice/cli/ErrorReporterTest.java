package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.store.Stores;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The errors of commands: one sentence with the flag, the value and the way out. A wrong command
 * line exits with status 2, any other failure with status 1. The acceptance tests have more, in
 * processes.
 */
class ErrorReporterTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.addSubcommand(new Broken());
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  /** A command with a defect. */
  @Command(name = "broken")
  private static final class Broken implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new IllegalStateException("on purpose");
    }
  }

  record Case(String line, String want) {}

  static final List<Case> WRONG =
      List.of(
          new Case("up --dashboard-port=-1", "--dashboard-port -1 is none: it must be from 0 to"),
          new Case("up --feature-gates Any", "Value for option '--feature-gates' (NAME=BOOL)"),
          new Case("up --kwok-config none.yaml", "there is no file none.yaml."),
          new Case("upp", "there is no command 'upp'; did you mean up? See './sluice help'."),
          new Case("bnech", "there is no command 'bnech'; did you mean bench?"),
          new Case("help simulat", "there is no command 'simulat'; did you mean simulate?"),
          new Case("kubernetes", "there is no command 'kubernetes'. See './sluice help'."),
          new Case("up --prot 7443", "there is no option --prot; did you mean --port?"),
          new Case("up --prot=7443", "there is no option --prot; did you mean --port?"),
          new Case("up --colour", "there is no option --colour. See './sluice help up'."),
          new Case("version now", "the argument 'now' is one too many."),
          new Case("simulate", "name the FILE of a scenario. See './sluice help simulate'."),
          new Case(
              "explain job j --kubeconfig none", "the kubeconfig none is not a readable file."),
          new Case("import", "Missing required option: '--namespace=NAME,...'"),
          new Case("import -n a", "give either --queuelabel with --queuemapping, or --queuemap"),
          new Case("import -n a --queuelabel l --queuemapping-file f", "give either --queuelabel"),
          new Case("import -n a --queuelabel l", "have an effect only together"),
          new Case(
              "import -n a --queuemapping v=q --queuemapping-file f",
              "--queuelabel and --queuemapping have an effect only together"),
          new Case("import -n a --queuemapping-file none.yaml", "there is no file none.yaml."),
          new Case(
              "import -n a --queuelabel l --queuemapping v",
              "--queuemapping: \"v\" is not NAME=VALUE."),
          new Case(
              "import -n a --queuelabel l --queuemapping v=q,v=r",
              "--queuemapping: \"v\" is given twice."),
          new Case(
              "import -n a --queuelabel l --queuemapping v=Q_1",
              "--queuemapping: \"Q_1\" is no name of a LocalQueue"),
          new Case(
              "import -n a --queuelabel l --queuemapping v=q --add-labels b=c!",
              "--add-labels: b is \"c!\": a label's value must be"),
          new Case(
              "import -n a --queuelabel l --queuemapping v=q -c 0",
              "--concurrent-workers 0 is none: it must be from 1 to 64."),
          new Case(
              "import -n a --queuelabel l --queuemapping v=q --qps 0",
              "--qps 0 is none: it must be from 0.01 to 100000."),
          new Case(
              "import -n a --queuelabel l --queuemapping v=q --dry-run=perhaps",
              "Invalid value for option '--dry-run'"));

  @ParameterizedTest
  @FieldSource("WRONG")
  void whatWasTypedWrongIsNamed(Case c) {
    assertThat(run(c.line().split(" ", -1))).isEqualTo(2);
    assertThat(err.toString()).startsWith("sluice: ").contains(c.want()).hasLineCount(1);
  }

  @Test
  void gatesThatDoNotGoTogetherAreNamedWithoutAFileToo() throws IOException {
    Path scenario = Files.writeString(folder.resolve("scenario.yaml"), "{}");
    String gates = "ElasticJobsViaWorkloadSlicesWithTAS=true,TopologyAwareScheduling=false";

    assertThat(run("up", "--feature-gates", gates)).isEqualTo(2);
    assertThat(err.toString())
        .contains("--feature-gates ElasticJobs")
        .contains("true needs TopologyAwareScheduling, which is false.");
    assertThat(run("simulate", scenario.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains(scenario + ": line 1: document 1 has no apiVersion or no kind.");
  }

  @Test
  void aClusterThatDoesNotAnswerIsNamedOnce() throws IOException {
    String kubeconfig = ManagerPlans.KUBECONFIG.replace(":6443", ":1");
    Path file = Files.writeString(folder.resolve("kubeconfig"), kubeconfig);

    assertThat(run("explain", "job", "j", "--kubeconfig", file.toString())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "sluice: cannot reach the API server at https://127.0.0.1:1: nothing listens there.%n"
                .formatted());
  }

  @Test
  void aDirectoryThatCannotBeUsedIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "text");
    Path used = folder.resolve("used");
    Stores.open(used).close();
    Files.writeString(used.resolve("pki"), "in the way");

    assertThat(run("up", "--port", "0", "--data-dir", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains(file + " is not a directory; name an empty directory");
    assertThat(run("up", "--port", "0", "--data-dir", used.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains(used + " cannot be used: ")
        .contains("see to its permissions, or name another --data-dir.");
  }

  @Test
  void aResultThatCannotBeWrittenIsShownAllTheSame() throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("scenario.yaml"),
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}}");

    assertThat(run("simulate", scenario.toString(), "--out", scenario.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("0 jobs: ");
    assertThat(err.toString())
        .contains("cannot be written: " + scenario + " is no directory; name another --out.");
  }

  @Test
  void aFileThatMayNotBeReadIsNotOnlyNamed() {
    assertThat(TextFile.why(new AccessDeniedException("x"))).isEqualTo("permission denied");
    assertThat(TextFile.why(new NoSuchFileException("x"))).isEqualTo("there is no x");
    assertThat(TextFile.why(new IOException("broken pipe"))).isEqualTo("broken pipe");
  }

  @Test
  void aDefectIsOneSentenceWithThePlace() {
    assertThat(run("broken")).isEqualTo(1);
    assertThat(err.toString())
        .contains("a defect of Sluice, please report it: java.lang.IllegalStateException")
        .contains("on purpose at dev.sluice.cli.ErrorReporterTest$Broken.call(")
        .hasLineCount(1);
  }
}
