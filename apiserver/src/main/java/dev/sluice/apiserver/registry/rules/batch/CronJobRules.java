package dev.sluice.apiserver.registry.rules.batch;

import static dev.sluice.apiserver.registry.rules.Edits.inside;
import static dev.sluice.apiserver.registry.rules.Edits.orElse;
import static dev.sluice.apiserver.registry.rules.Edits.orIfEmpty;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.apiserver.registry.rules.pod.PodDefaults;
import dev.sluice.apiserver.registry.rules.pod.PodWarnings;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.cron.InvalidScheduleException;
import dev.sluice.model.cron.Schedule;
import dev.sluice.model.cron.TimeZones;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The rules of CronJobs. The pod template gets its defaults, but the job template does not: a Job
 * gets its defaults when it is created.
 */
public final class CronJobRules implements KindRules {
  private static final String TEMPLATE = "spec.jobTemplate.spec";
  private static final Pattern ZONE_PART = Pattern.compile("[A-Za-z.\\-_0-9+]{1,14}");
  private static final List<String> GENERATED_LABELS =
      List.of(
          JobRules.CONTROLLER_UID,
          JobRules.OLD_CONTROLLER_UID,
          JobRules.JOB_NAME,
          JobRules.OLD_JOB_NAME);

  /** The maximum length of a name, which leaves room for the suffix with the scheduled minute. */
  private static final int MAX_NAME = 52;

  @Override
  public ApiObject withDefaults(ApiObject cronJob) {
    Tree spec = orIfEmpty(cronJob.spec(), "concurrencyPolicy", "Allow");
    spec = orElse(spec, "suspend", false);
    spec = orElse(spec, "successfulJobsHistoryLimit", 3);
    spec = orElse(spec, "failedJobsHistoryLimit", 1);
    return cronJob.withSpec(
        inside(spec, "jobTemplate", template -> inside(template, "spec", CronJobRules::job)));
  }

  private static Tree job(Tree spec) {
    return inside(spec, "template", pod -> inside(pod, "spec", PodDefaults::template));
  }

  @Override
  public String nameProblem(String name) {
    String problem = NameSyntax.subdomainProblem(name);
    return problem.isEmpty() && name.length() > MAX_NAME
        ? "must be no more than 52 characters"
        : problem;
  }

  @Override
  public void check(ApiObject cronJob, ValidationErrors problems) {
    Tree spec = cronJob.spec();
    checkSchedule(spec.text("schedule"), problems);
    problems.notNegative(
        "spec.startingDeadlineSeconds", spec.whole("startingDeadlineSeconds").orElse(0));
    if (spec.has("timeZone")) {
      checkTimeZone(spec.text("timeZone"), problems);
    }
    problems.oneOf(
        "spec.concurrencyPolicy",
        spec.text("concurrencyPolicy"),
        List.of("Allow", "Forbid", "Replace"));
    checkTemplate(spec.tree("jobTemplate", "spec"), problems);
    for (String limit : List.of("successfulJobsHistoryLimit", "failedJobsHistoryLimit")) {
      problems.notNegative("spec." + limit, spec.whole(limit).orElse(0));
    }
  }

  @Override
  public List<String> warnings(ApiObject cronJob) {
    var warnings = new ArrayList<String>();
    PodWarnings.ofName(cronJob.name(), "Pod names and hostnames").ifPresent(warnings::add);
    warnings.addAll(templateWarnings(cronJob));
    return warnings;
  }

  @Override
  public List<String> updateWarnings(ApiObject before, ApiObject after) {
    return before.spec().equals(after.spec()) ? List.of() : templateWarnings(after);
  }

  private static List<String> templateWarnings(ApiObject cronJob) {
    return JobRules.specWarnings(TEMPLATE, cronJob.spec().tree("jobTemplate", "spec"));
  }

  private static void checkSchedule(String schedule, ValidationErrors problems) {
    if (schedule.isEmpty()) {
      problems.required("spec.schedule", "");
      return;
    }
    try {
      Schedule.parse(schedule, ZoneOffset.UTC);
    } catch (InvalidScheduleException invalid) {
      problems.invalid("spec.schedule", schedule, invalid.why());
    }
    if (schedule.contains("TZ")) {
      problems.invalid(
          "spec.schedule",
          schedule,
          "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
    }
  }

  private static void checkTimeZone(String zone, ValidationErrors problems) {
    String field = "spec.timeZone";
    if (zone.isEmpty()) {
      problems.invalid(field, zone, "timeZone must be nil or non-empty string");
      return;
    }
    boolean local = zone.equalsIgnoreCase("Local");
    if (local) {
      problems.invalid(
          field,
          zone,
          "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
    }
    // The name is valid, but means another zone on each machine.
    boolean known = zone.equals("Local") || TimeZones.find(zone).isPresent();
    if (!known || !isZoneName(zone)) {
      problems.invalid(field, zone, "unknown time zone " + ValidationErrors.cut(zone));
    }
  }

  private static boolean isZoneName(String zone) {
    return Stream.of(zone.split("/", -1)).allMatch(part -> ZONE_PART.matcher(part).matches());
  }

  /**
   * Validates the template like the Job that would be created from it, except for what the server
   * sets in Jobs.
   */
  private static void checkTemplate(Tree spec, ValidationErrors problems) {
    Tree bare = spec.without("selector").without("manualSelector");
    for (String label : GENERATED_LABELS) {
      bare = bare.without(List.of("template", "metadata", "labels", label));
    }
    var rules = new JobRules();
    ApiObject job = ApiObject.of(Kinds.JOB, "", "job").withMetadata("uid", "uid").withSpec(bare);
    var found = new ValidationErrors();
    rules.check(rules.onCreate(rules.withDefaults(job), Instant.EPOCH), found);
    for (Cause cause : found.causes()) {
      String field = cause.field().replaceFirst("^spec", TEMPLATE);
      problems.add(new Cause(cause.reason(), field, cause.message()));
    }
    if (spec.has("selector")) {
      problems.invalid(
          TEMPLATE + ".selector", spec.tree("selector"), "`selector` will be auto-generated");
    }
    if (spec.flag("manualSelector")) {
      problems.add(Cause.notSupported(TEMPLATE + ".manualSelector", true, List.of("nil", "false")));
    }
  }
}
