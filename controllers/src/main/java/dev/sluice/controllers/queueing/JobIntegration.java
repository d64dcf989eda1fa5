package dev.sluice.controllers.queueing;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.PodSet;
import java.util.List;
import java.util.Optional;

/** What queueing must know of a kind of job: how to read it, start it and stop it. */
public interface JobIntegration {

  ResourceKind kind();

  boolean suspended(ApiObject job);

  /** Whether pods of the job may still be running. */
  boolean active(ApiObject job);

  /** The job's pods, as groups of one shape. */
  List<PodSet> podSets(ApiObject job);

  /** How the job ended, if it did. */
  Optional<Finish> finish(ApiObject job);

  /** The job suspended, or not. */
  ApiObject withSuspended(ApiObject job, boolean suspended);

  /** The job with its pod templates as these pod sets have them. */
  ApiObject withPodSets(ApiObject job, List<PodSet> podSets);

  /** The end of a job. */
  record Finish(boolean succeeded, String message) {}
}
