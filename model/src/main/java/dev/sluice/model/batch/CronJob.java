package dev.sluice.model.batch;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** A batch/v1 CronJob. */
public record CronJob(ApiObject object) {
  /** The annotation of a Job with its scheduled time. */
  public static final String SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp";

  private static final long MAX_DEADLINE = Duration.ofDays(36_500).toSeconds();
  private static final DateTimeFormatter RFC_3339 =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssXXX", Locale.ROOT);

  /** The concurrency policy: what happens if a Job is due while an earlier one runs. */
  public enum Concurrency {
    /** Both run. */
    ALLOW,
    /** The new one is skipped while the old one runs. */
    FORBID,
    /** The old one is deleted. */
    REPLACE
  }

  public ObjectKey key() {
    return object.key(Kinds.CRON_JOB);
  }

  public String name() {
    return object.name();
  }

  public String namespace() {
    return object.namespace();
  }

  /** The schedule as it was written. */
  public String schedule() {
    return object.spec().text("schedule");
  }

  /** The time zone of the schedule, empty for UTC. */
  public String timeZone() {
    return object.spec().text("timeZone");
  }

  /** The starting deadline; centuries are cut, so that times stay in range. */
  public Optional<Duration> startingDeadline() {
    OptionalLong seconds = object.spec().whole("startingDeadlineSeconds");
    return seconds.isPresent()
        ? Optional.of(Duration.ofSeconds(Math.min(seconds.getAsLong(), MAX_DEADLINE)))
        : Optional.empty();
  }

  public Concurrency concurrency() {
    return switch (object.spec().text("concurrencyPolicy")) {
      case "Forbid" -> Concurrency.FORBID;
      case "Replace" -> Concurrency.REPLACE;
      default -> Concurrency.ALLOW;
    };
  }

  public boolean isSuspended() {
    return object.spec().flag("suspend");
  }

  /** How many Jobs that succeeded are kept; empty for all. */
  public OptionalLong successfulJobsKept() {
    return object.spec().whole("successfulJobsHistoryLimit");
  }

  /** How many Jobs that failed are kept; empty for all. */
  public OptionalLong failedJobsKept() {
    return object.spec().whole("failedJobsHistoryLimit");
  }

  public Optional<Instant> lastScheduled() {
    return Timestamps.parse(object.status().text("lastScheduleTime"));
  }

  public Optional<Instant> lastSuccess() {
    return Timestamps.parse(object.status().text("lastSuccessfulTime"));
  }

  /** References to the Jobs that are active, according to the status. */
  public List<Tree> active() {
    return object.status().trees("active");
  }

  public boolean counts(ApiObject job) {
    return active().stream().anyMatch(reference -> reference.text("uid").equals(job.uid()));
  }

  public CronJob withActive(ApiObject job) {
    var active = new ArrayList<>(active());
    active.add(
        Tree.of("apiVersion", job.apiVersion(), "kind", job.kind())
            .with("namespace", job.namespace())
            .with("name", job.name())
            .with("uid", job.uid())
            .with("resourceVersion", job.resourceVersion()));
    return withActive(active);
  }

  public CronJob withoutActive(String uid) {
    return withActive(
        active().stream().filter(reference -> !reference.text("uid").equals(uid)).toList());
  }

  private CronJob withActive(List<Tree> active) {
    Tree status = object.status();
    return new CronJob(
        object.withStatus(
            active.isEmpty() ? status.without("active") : status.with("active", Items.of(active))));
  }

  public CronJob withLastScheduled(Instant time) {
    return new CronJob(object.with(List.of("status", "lastScheduleTime"), Timestamps.format(time)));
  }

  public CronJob withLastSuccess(Instant time) {
    return new CronJob(
        object.with(List.of("status", "lastSuccessfulTime"), Timestamps.format(time)));
  }

  /** The name of the Job for a scheduled time, unique for each minute. */
  public String jobName(Instant scheduled) {
    return name() + "-" + Math.floorDiv(scheduled.getEpochSecond(), 60);
  }

  /** The Job for a scheduled time. */
  public ApiObject job(Instant scheduled, ZoneId zone) {
    Tree template = object.spec().tree("jobTemplate");
    ApiObject job = ApiObject.of(Kinds.JOB, namespace(), jobName(scheduled));
    for (String inherited : List.of("labels", "annotations")) {
      Tree metadata = template.tree("metadata");
      job = metadata.has(inherited) ? job.withMetadata(inherited, metadata.at(inherited)) : job;
    }
    return job.withAnnotation(SCHEDULED, RFC_3339.format(scheduled.atZone(zone)))
        .controlledBy(object)
        .withSpec(template.tree("spec"));
  }
}
