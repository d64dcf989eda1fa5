package dev.sluice.cli;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The errors of commands: one sentence on standard error, never the usage page or a stack trace. A
 * command exits with status 2 if the command line is wrong, and with status 1 for any other
 * failure.
 */
public final class ErrorReporter {
  private static final int FAILURE = 1;
  private static final int WRONG_USAGE = 2;

  private ErrorReporter() {}

  /** Sets up errors and --help for a command and all its subcommands. */
  public static void prepare(CommandLine command) {
    command.setUsageHelpAutoWidth(true);
    takeHelpOption(command);
    command.setParameterExceptionHandler((wrong, ignored) -> misunderstood(wrong));
    command.setExecutionExceptionHandler((thrown, failed, ignored) ->
        thrown instanceof UserError error ? refused(failed, error) : broken(failed, thrown));
  }

  /** Users try --help first, after every command; the help command itself has it already. */
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

  /** The usage page is one command away. */
  private static int misunderstood(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    String name = command.getParent() == null ? "" : " " + command.getCommandName();
    String hint = " See './%s help%s'.".formatted(program(command), name);
    return say(command, sentence(UsageErrors.message(wrong)) + hint, WRONG_USAGE);
  }

  private static int refused(CommandLine command, UserError error) {
    return say(command, sentence(error.getMessage()), error.exitCode());
  }

  /** A defect of Sluice: users can only report it, and the report needs the place in the code. */
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
    return line.endsWith(".") || line.endsWith("?") ? line : line + ".";
  }
}
