package dev.sluice.controllers.nodes.local.fields;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The numbers of the stop signals of containers, as Linux has them. */
public final class StopSignals {
  /** The number of {@code SIGTERM}, the default stop signal. */
  public static final int USUAL = 15;

  /** In order: the first one has the number 1. */
  private static final List<String> NAMES =
      List.of(
          "SIGHUP",
          "SIGINT",
          "SIGQUIT",
          "SIGILL",
          "SIGTRAP",
          "SIGABRT",
          "SIGBUS",
          "SIGFPE",
          "SIGKILL",
          "SIGUSR1",
          "SIGSEGV",
          "SIGUSR2",
          "SIGPIPE",
          "SIGALRM",
          "SIGTERM",
          "SIGSTKFLT",
          "SIGCHLD",
          "SIGCONT",
          "SIGSTOP",
          "SIGTSTP",
          "SIGTTIN",
          "SIGTTOU",
          "SIGURG",
          "SIGXCPU",
          "SIGXFSZ",
          "SIGVTALRM",
          "SIGPROF",
          "SIGWINCH",
          "SIGIO",
          "SIGPWR",
          "SIGSYS");

  private static final int REAL_TIME_MIN = 34;
  private static final int REAL_TIME_MAX = 64;
  private static final Pattern REAL_TIME =
      Pattern.compile("SIGRT(?:MIN(?:\\+(1[0-5]|[1-9]))?|MAX(?:-(1[0-4]|[1-9]))?)");

  private StopSignals() {}

  /** The number of a signal by its name in Kubernetes, if it has one. */
  public static OptionalInt number(String name) {
    int place = NAMES.indexOf(synonym(name));
    return place < 0 ? realTime(name) : OptionalInt.of(place + 1);
  }

  private static String synonym(String name) {
    return switch (name) {
      case "SIGIOT" -> "SIGABRT";
      case "SIGCLD" -> "SIGCHLD";
      case "SIGPOLL" -> "SIGIO";
      default -> name;
    };
  }

  private static OptionalInt realTime(String name) {
    Matcher parts = REAL_TIME.matcher(name);
    if (!parts.matches()) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(
        name.startsWith("SIGRTMIN")
            ? REAL_TIME_MIN + distance(parts.group(1))
            : REAL_TIME_MAX - distance(parts.group(2)));
  }

  private static int distance(@Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt(digits);
  }
}
