package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.GoDuration;
import dev.sluice.model.Timestamps;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.Pod;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The run time of a simulated pod. */
sealed interface RunTime {
  /** The annotation with the run time, for example {@code 1m30s}. */
  String ANNOTATION = "sluice.dev/duration";

  /** The annotation with the time at which the pod ends; or {@code never}, until that is known. */
  String END_ANNOTATION = "sluice.dev/ends-at";

  /** The pod ends at this time. */
  record EndsAt(Instant time) implements RunTime {}

  /** The pod ends after this time. */
  record Ends(Duration after) implements RunTime {}

  /** The pod runs until it is deleted. */
  record Endless() implements RunTime {}

  /** The annotation cannot be parsed. */
  record Unreadable(String text) implements RunTime {}

  /**
   * The end of the annotation, or else the run time of the annotation; without one, the longest
   * {@code sleep} of its containers; otherwise none. Only a pod of a Job ends by itself.
   */
  static RunTime of(Pod pod) {
    if (pod.object().controller().filter(owner -> owner.kind().equals("Job")).isEmpty()) {
      return new Endless();
    }
    String end = pod.object().annotation(END_ANNOTATION);
    if (!end.isEmpty()) {
      return end.equals("never")
          ? new Endless()
          : Timestamps.parse(end).<RunTime>map(EndsAt::new).orElse(new Unreadable(end));
    }
    String annotation = pod.object().annotation(ANNOTATION);
    if (!annotation.isEmpty()) {
      return GoDuration.parse(annotation)
          .<RunTime>map(Ends::new)
          .orElse(new Unreadable(annotation));
    }
    Duration longest = Duration.ZERO;
    for (Container container : pod.spec().containers()) {
      switch (Sleep.of(container)) {
        case Ends(Duration after) -> longest = after.compareTo(longest) > 0 ? after : longest;
        case Endless _, EndsAt _, Unreadable _ -> {
          return new Endless();
        }
      }
    }
    return new Ends(longest);
  }

  /** The parser of {@code sleep N}, alone or as the argument of a shell. */
  final class Sleep {
    private static final Pattern COMMAND =
        Pattern.compile(
            "\\s*(?:/\\S*/)?sleep\\s+(?:(\\d{1,9}(?:\\.\\d{1,9})?)([smhd]?)|inf(?:inity)?)\\s*;?\\s*");
    private static final Pattern SHELL = Pattern.compile("(?:/\\S*/)?(?:sh|bash|ash|dash)");

    private Sleep() {}

    private static RunTime of(Container container) {
      var words = new ArrayList<String>(container.command());
      words.addAll(container.args());
      boolean shell =
          words.size() == 3 && SHELL.matcher(words.get(0)).matches() && words.get(1).equals("-c");
      return of(shell ? words.get(2) : plain(words)).orElse(new Ends(Duration.ZERO));
    }

    private static String plain(List<String> words) {
      return words.size() == 2 ? String.join(" ", words) : "";
    }

    private static Optional<RunTime> of(String command) {
      Matcher sleep = COMMAND.matcher(command);
      if (!sleep.matches()) {
        return Optional.empty();
      }
      String number = sleep.group(1);
      return Optional.of(
          number == null ? new Endless() : new Ends(duration(number, sleep.group(2))));
    }

    private static Duration duration(String number, String unit) {
      long seconds =
          switch (unit) {
            case "m" -> 60;
            case "h" -> 3600;
            case "d" -> 86_400;
            default -> 1;
          };
      var nanos = new BigDecimal(number).multiply(BigDecimal.valueOf(seconds)).movePointRight(9);
      return Duration.ofSeconds(0, nanos.longValue());
    }
  }
}
