package dev.sluice.controllers.jobsets;

import dev.sluice.model.ApiObject;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.JobSetNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The Jobs of a JobSet, by how far they are.
 *
 * @param previous Jobs of an earlier attempt, which are to go
 */
record OwnedJobs(List<Job> previous, List<Job> active, List<Job> successful, List<Job> failed) {
  OwnedJobs {
    previous = List.copyOf(previous);
    active = List.copyOf(active);
    successful = List.copyOf(successful);
    failed = List.copyOf(failed);
  }

  static OwnedJobs of(JobSet set, List<ApiObject> owned) {
    var previous = new ArrayList<Job>();
    var active = new ArrayList<Job>();
    var successful = new ArrayList<Job>();
    var failed = new ArrayList<Job>();
    for (ApiObject object : owned) {
      var job = new Job(object);
      if (attempt(job) < set.restarts()) {
        previous.add(job);
      } else if (job.status().holds(JobStatus.COMPLETE)) {
        successful.add(job);
      } else if (job.status().holds(JobStatus.FAILED)) {
        failed.add(job);
      } else {
        active.add(job);
      }
    }
    return new OwnedJobs(previous, active, successful, failed);
  }

  /** A Job without a readable label is of no attempt, so it goes at the first restart. */
  private static long attempt(Job job) {
    try {
      return Long.parseLong(job.object().label(JobSetNames.RESTART_ATTEMPT));
    } catch (NumberFormatException unreadable) {
      return 0;
    }
  }

  /** The Jobs of this attempt that belong to a replicated job. */
  Stream<Job> current(String replicatedJob) {
    return Stream.of(active, successful, failed)
        .flatMap(List::stream)
        .filter(job -> replicatedJob(job).equals(replicatedJob));
  }

  /** The names of all of them, those of earlier attempts included. */
  SortedSet<String> names() {
    var names = new TreeSet<String>();
    Stream.of(previous, active, successful, failed)
        .flatMap(List::stream)
        .forEach(job -> names.add(job.name()));
    return Collections.unmodifiableSortedSet(names);
  }

  static String replicatedJob(Job job) {
    return job.object().label(JobSetNames.REPLICATED_JOB);
  }
}
