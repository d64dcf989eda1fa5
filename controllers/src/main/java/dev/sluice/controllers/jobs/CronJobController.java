package dev.sluice.controllers.jobs;

import dev.sluice.controllers.ChangedKeys;
import dev.sluice.controllers.EventRecorder;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.batch.CronJob;
import dev.sluice.model.cron.InvalidScheduleException;
import dev.sluice.model.cron.Schedule;
import dev.sluice.model.cron.TimeZones;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The controller that creates the Jobs of CronJobs when they are due. Each time of a schedule gets
 * at most one Job, whenever the controller is stopped and restarted: the name of a Job contains the
 * time it is for.
 *
 * <p>A schedule without a time zone is in UTC.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class CronJobController implements Controller {
  /** Added to the delay, so that the reconcile is never before the scheduled time. */
  private static final Duration AFTER = Duration.ofMillis(100);

  private final Cluster cluster;
  private final EventRecorder events;
  private final CronJobRecord record;
  private final ChangedKeys rescheduled = new ChangedKeys();
  private final TreeSet<ObjectKey> postponed = new TreeSet<>();

  public CronJobController(Cluster cluster) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "cronjob-controller");
    this.record = new CronJobRecord(cluster, events);
  }

  @Override
  public String name() {
    return "cronjobs";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.CRON_JOB, this::changed), Trigger.onOwned(Kinds.JOB, Kinds.CRON_JOB));
  }

  private List<ObjectKey> changed(ObjectEvent event) {
    CronJob now = new CronJob(event.object());
    boolean differs =
        event
            .before()
            .map(CronJob::new)
            .filter(old ->
                !old.schedule().equals(now.schedule()) || !old.timeZone().equals(now.timeZone()))
            .isPresent();
    if (differs) {
      rescheduled.add(now.key());
    }
    return List.of(now.key());
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    postponed.addAll(rescheduled.takeAll());
    boolean postpone = postponed.remove(key);
    Optional<CronJob> found = cluster.get(key).map(CronJob::new);
    if (found.isEmpty()) {
      return Outcome.DONE;
    }
    CronJob seen = found.get();
    CronJob cronJob = write(seen, record.updated(seen));
    if (cronJob.object().isDeleting()) {
      return Outcome.DONE;
    }
    Optional<ZoneId> zone = zone(cronJob).filter(_ -> !cronJob.isSuspended());
    Optional<Schedule> schedule = zone.flatMap(known -> schedule(cronJob, known));
    if (zone.isEmpty() || schedule.isEmpty()) {
      return Outcome.DONE;
    }
    // A changed schedule applies to future times, not to those that it would have had in the past.
    CronJob last =
        postpone ? cronJob : startIfDue(cronJob, schedule.get(), zone.get(), cluster.time().now());
    Instant now = cluster.time().now();
    return MissedRuns.untilNext(last, schedule.get(), now)
        .map(pause -> Outcome.again(pause.plus(AFTER)))
        .orElse(Outcome.DONE);
  }

  private CronJob write(CronJob seen, CronJob changed) {
    return changed.object().status().equals(seen.object().status())
        ? seen
        : new CronJob(
            cluster.patchStatus(Kinds.CRON_JOB, seen.object(), changed.object().status()));
  }

  private Optional<ZoneId> zone(CronJob cronJob) {
    String name = cronJob.timeZone();
    if (name.isEmpty()) {
      return Optional.of(ZoneOffset.UTC);
    }
    Optional<ZoneId> zone = TimeZones.find(name);
    if (zone.isEmpty()) {
      String problem = "invalid timeZone: \"%s\": unknown time zone %s".formatted(name, name);
      events.warning(cronJob.object(), "UnknownTimeZone", problem);
    }
    return zone;
  }

  private Optional<Schedule> schedule(CronJob cronJob, ZoneId zone) {
    try {
      return Optional.of(Schedule.parse(cronJob.schedule(), zone));
    } catch (InvalidScheduleException invalid) {
      String problem =
          "unparseable schedule: \"%s\" : %s".formatted(cronJob.schedule(), invalid.why());
      events.warning(cronJob.object(), "UnparseableSchedule", problem);
      return Optional.empty();
    }
  }

  private CronJob startIfDue(CronJob cronJob, Schedule schedule, ZoneId zone, Instant now) {
    return switch (MissedRuns.inTime(cronJob, schedule, now)) {
      case MissedRuns.NotYet _ -> cronJob;
      case MissedRuns.Never() -> {
        String problem =
            "invalid schedule: %s : time difference between two schedules is less than 1 second"
                .formatted(cronJob.schedule());
        events.warning(cronJob.object(), "InvalidSchedule", problem);
        yield cronJob;
      }
      case MissedRuns.Missed(Instant latest, boolean many) -> {
        if (many) {
          events.warning(
              cronJob.object(),
              "TooManyMissedTimes",
              "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check"
                  + " clock skew");
        }
        yield isStarted(cronJob, latest) ? cronJob : startAlone(cronJob, latest, zone);
      }
    };
  }

  /**
   * Two times in the same minute share a name, so the later one counts as started with the first.
   */
  private static boolean isStarted(CronJob cronJob, Instant scheduled) {
    String name = cronJob.jobName(scheduled);
    return cronJob.lastScheduled().filter(scheduled::equals).isPresent()
        || cronJob.active().stream().anyMatch(reference -> reference.text("name").equals(name));
  }

  private CronJob startAlone(CronJob cronJob, Instant scheduled, ZoneId zone) {
    boolean alone = cronJob.active().isEmpty();
    if (alone || cronJob.concurrency() == CronJob.Concurrency.ALLOW) {
      return start(cronJob, scheduled, zone);
    }
    if (cronJob.concurrency() == CronJob.Concurrency.FORBID) {
      events.normal(
          cronJob.object(),
          "JobAlreadyActive",
          "Not starting job because prior execution is running and concurrency policy is Forbid");
      return cronJob;
    }
    return start(write(cronJob, record.withoutRunning(cronJob)), scheduled, zone);
  }

  private CronJob start(CronJob cronJob, Instant scheduled, ZoneId zone) {
    ApiObject wanted = cronJob.job(scheduled, zone);
    ApiObject job;
    try {
      job = cluster.create(Kinds.JOB, wanted);
      events.normal(cronJob.object(), "SuccessfulCreate", "Created job " + job.name());
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.ALREADY_EXISTS)) {
        events.warning(
            cronJob.object(), "FailedCreate", "Error creating job: " + refused.getMessage());
        throw refused;
      }
      // Either created before a restart and not recorded, or of another owner, which keeps the
      // name.
      Optional<ApiObject> own =
          cluster
              .get(wanted.key(Kinds.JOB))
              .filter(existing -> CronJobRecord.owns(cronJob, existing));
      if (own.isEmpty()) {
        return cronJob;
      }
      job = own.get();
    }
    return write(cronJob, cronJob.withActive(job).withLastScheduled(scheduled));
  }
}
