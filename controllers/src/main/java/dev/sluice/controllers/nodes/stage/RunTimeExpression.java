package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Timestamps;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The expression for when a simulated pod ends: the time that follows from its {@link RunTime}, or
 * one of the words {@code endless}, {@code unreadable} and, for a pod that takes no time and has
 * not started, {@code at-once}.
 */
record RunTimeExpression() implements Expression {
  static final String NAME = "sluice.dev/run-time";

  @Override
  public List<Value> evaluate(Tree object, Moment moment) {
    Pod pod = new Pod(new ApiObject(object));
    String answer =
        switch (RunTime.of(pod)) {
          case RunTime.Ends(Duration after) when after.isZero() && !hasStarted(pod) -> "at-once";
          case RunTime.Ends(Duration after) -> text(start(pod, moment).plus(after), moment);
          case RunTime.EndsAt(Instant time) -> text(time, moment);
          case RunTime.Endless _ -> "endless";
          case RunTime.Unreadable _ -> "unreadable";
        };
    return List.of(new Value.Text(answer));
  }

  private static boolean hasStarted(Pod pod) {
    return pod.status().started().isPresent();
  }

  /** For a time in the past, whole seconds are enough. */
  private static String text(Instant end, Moment moment) {
    return end.isAfter(moment.now()) ? end.toString() : Timestamps.format(end);
  }

  /** The API has whole seconds; the schedule knows more exactly when the pod was seen to start. */
  private static Instant start(Pod pod, Moment moment) {
    Instant known = moment.since();
    Instant started = pod.status().started().orElse(known);
    return known.truncatedTo(ChronoUnit.SECONDS).equals(started) ? known : started;
  }
}
