package dev.sluice.cli;

import dev.sluice.controllers.configuration.file.Suggestion;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The words for what is wrong with a command line, with the name that was probably meant. */
final class UsageErrors {
  /** A command of {@code ./sluice} with a program of its own. */
  private static final String BENCH = "bench";

  private UsageErrors() {}

  static String message(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      return unmatched(command, unmatched.getUnmatched().getFirst());
    }
    String message = String.valueOf(wrong.getMessage());
    if (message.startsWith(
        "Unknown subcommand")) { // of the help command, which answers for its parent
      return unknownCommand(command, message.replaceAll("^[^']*'|'[^']*$", ""));
    }
    return message.replace("option option", "option"); // picocli has the word twice
  }

  private static String unmatched(CommandLine command, String word) {
    if (word.startsWith("-") && word.length() > 1) {
      String name = word.replaceFirst("=.*", "");
      return "there is no option " + name + Suggestion.of(name, options(command));
    }
    return command.getSubcommands().isEmpty()
        ? "the argument '%s' is one too many".formatted(word)
        : unknownCommand(command, word);
  }

  private static String unknownCommand(CommandLine above, String word) {
    var known = new ArrayList<>(above.getSubcommands().keySet());
    if (above.getCommand() instanceof Main) {
      known.add(BENCH);
    }
    return "there is no command '%s'%s".formatted(word, Suggestion.of(word, known));
  }

  private static List<String> options(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .flatMap(option -> List.of(option.names()).stream())
        .toList();
  }
}
