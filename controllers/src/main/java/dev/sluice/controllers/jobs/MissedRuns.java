package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.CronJob;
import dev.sluice.model.cron.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The scheduled times of a CronJob that have no Job yet. Of all missed times only the latest
 * counts: a CronJob that was down for a week starts one Job, not a thousand.
 */
sealed interface MissedRuns {
  /** From this many missed times on there is a warning. */
  long MANY = 100;

  /**
   * No schedule needs a time further in the future, and later ones overflow what an Instant can
   * hold.
   */
  Duration FURTHEST = Duration.ofDays(366);

  /** No run was missed since {@code since}. */
  record NotYet(Instant since) implements MissedRuns {}

  /**
   * A Job should have been started.
   *
   * @param many whether so many times were missed that something must be wrong
   */
  record Missed(Instant latest, boolean many) implements MissedRuns {}

  /** The schedule is never due. */
  record Never() implements MissedRuns {}

  /** The missed runs of which the starting deadline has not passed. */
  static MissedRuns inTime(CronJob cronJob, Schedule schedule, Instant now) {
    Instant since = since(cronJob, now);
    Instant inTime = cronJob.startingDeadline().map(now::minus).orElse(since);
    return of(schedule, inTime.isAfter(since) ? inTime : since, now);
  }

  /** How long until the next scheduled time; empty if there is none. */
  static Optional<Duration> untilNext(CronJob cronJob, Schedule schedule, Instant now) {
    Optional<Instant> next =
        switch (of(schedule, since(cronJob, now), now)) {
          case NotYet(Instant since) -> schedule.next(since);
          case Missed(Instant latest, boolean _) -> schedule.next(latest);
          case Never() -> Optional.empty();
        };
    return next.map(at -> Duration.between(now, at));
  }

  private static Instant since(CronJob cronJob, Instant now) {
    Instant since = cronJob.lastScheduled().or(cronJob.object()::created).orElse(now);
    Instant furthest = now.plus(FURTHEST);
    return since.isAfter(furthest) ? furthest : since;
  }

  private static MissedRuns of(Schedule schedule, Instant since, Instant now) {
    Optional<Instant> first = schedule.next(since);
    if (first.isEmpty()) {
      return new Never();
    }
    if (now.isBefore(first.get())) {
      return new NotYet(since);
    }
    Optional<Instant> second = schedule.next(first.get());
    if (second.isEmpty() || now.isBefore(second.get())) {
      return new Missed(first.get(), false);
    }
    return latest(schedule, first.get(), second.get(), now);
  }

  /** Skips as many intervals as fit, less one for schedules that are not regular. */
  private static MissedRuns latest(Schedule schedule, Instant first, Instant second, Instant now) {
    long interval = Duration.between(first, second).toSeconds();
    long missed = Duration.between(first, now).toSeconds() / interval + 1;
    Instant leapt = first.plusSeconds((missed - 2) * interval);
    Optional<Instant> near = schedule.next(leapt).filter(at -> !at.isAfter(now));
    Instant latest = near.orElseGet(() -> beforePause(schedule, first, leapt, now));
    Optional<Instant> next = schedule.next(latest);
    while (next.isPresent() && !next.get().isAfter(now)) {
      latest = next.get();
      next = schedule.next(latest);
    }
    return new Missed(latest, missed > MANY);
  }

  /**
   * A time close to the last one before a gap, such as the weekend of a schedule for working hours:
   * the skip has led into the gap, so the time in between is halved until it is found.
   */
  private static Instant beforePause(Schedule schedule, Instant first, Instant leapt, Instant now) {
    Instant due = first;
    Instant pause = leapt;
    while (Duration.between(due, pause).toSeconds() > 1) {
      Instant middle = due.plusSeconds(Duration.between(due, pause).toSeconds() / 2);
      Optional<Instant> next = schedule.next(middle).filter(at -> !at.isAfter(now));
      due = next.orElse(due);
      pause = next.isPresent() ? pause : middle;
    }
    return due;
  }
}
