package dev.sluice.cli;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * How a command says that it cannot do what it is asked: in one sentence on standard error, never
 * with a page of usage or a stack. It leaves with 2 if the command line is wrong, and with 1 if the
 * world is, or Sluice.
 */
public final class ErrorReporter {
  private static final int FAILURE = 1;
  private static final int WRONG_USAGE = 2;

  private ErrorReporter() {}

  /** Has a command and all below it refuse so, and take --help. */
  public static void prepare(CommandLine command) {
    command.setUsageHelpAutoWidth(true);
    takeHelpOption(command);
    command.setParameterExceptionHandler((wrong, ignored) -> misunderstood(wrong));
    command.setExecutionExceptionHandler((thrown, failed, ignored) ->
        thrown instanceof UserError error ? refused(failed, error) : broken(failed, thrown));
  }

  /** People try --help first, after every command; the help command itself has it already. */
  private static void takeHelpOption(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.findOption("--help") == null) {
      spec.addOption(
          OptionSpec.builder("-h", "--help")
              .usageHelp(true)
              .description("Show this page.")
              .build());
    }
    command.getSubcommands().values().forEach(ErrorReporter::takeHelpOption);
  }

  /** The page of usage is one command away. Some messages of picocli have a word twice. */
  private static int misunderstood(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    String name = command.getParent() == null ? "" : " " + command.getCommandName();
    String hint = " See './%s help%s'.".formatted(program(command), name);
    String message = String.valueOf(wrong.getMessage()).replace("option option", "option");
    return say(command, sentence(message) + hint, WRONG_USAGE);
  }

  private static int refused(CommandLine command, UserError error) {
    return say(command, sentence(error.getMessage()), error.exitCode());
  }

  /** A defect of ours: users can only report it, and whoever mends it needs the place. */
  private static int broken(CommandLine command, Exception defect) {
    String place =
        Arrays.stream(defect.getStackTrace())
            .filter(frame -> frame.getClassName().startsWith("dev.sluice."))
            .findFirst()
            .map(frame -> " at " + frame)
            .orElse("");
    String sentence = "this is a defect of Sluice, please report it: " + sentence(defect + place);
    return say(command, sentence, FAILURE);
  }

  private static int say(CommandLine command, String sentence, int exitCode) {
    command.getErr().printf("%s: %s%n", program(command), sentence);
    return exitCode;
  }

  private static String program(CommandLine command) {
    CommandLine parent = command.getParent();
    return parent == null ? command.getCommandName() : program(parent);
  }

  private static String sentence(@Nullable String message) {
    String line = String.valueOf(message).strip().replaceAll("\\s*\\R\\s*", " ");
    return line.endsWith(".") ? line : line + ".";
  }
}
