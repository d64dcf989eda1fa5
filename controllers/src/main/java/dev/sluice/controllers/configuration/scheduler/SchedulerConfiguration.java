package dev.sluice.controllers.configuration.scheduler;

import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.queue.PodBackoff;
import java.util.List;

/**
 * The configuration of the pod scheduler.
 *
 * @param profiles at least one, with distinct names; a pod chooses one by its {@code schedulerName}
 * @param backoff the backoff of unschedulable pods
 */
public record SchedulerConfiguration(List<Profile> profiles, PodBackoff backoff) {

  /** The configuration without a file, in a cluster without another scheduler. */
  public static final SchedulerConfiguration DEFAULT =
      new SchedulerConfiguration(List.of(Profile.DEFAULT), PodBackoff.DEFAULT);

  public SchedulerConfiguration {
    profiles = List.copyOf(profiles);
    if (profiles.isEmpty()) {
      throw new IllegalArgumentException("without a profile no pod is scheduled");
    }
  }

  /** The default profile under another name, for a cluster with other schedulers. */
  public static SchedulerConfiguration named(String name) {
    return new SchedulerConfiguration(List.of(Profile.DEFAULT.named(name)), PodBackoff.DEFAULT);
  }

  /** The scheduler names of the profiles. */
  public List<String> names() {
    return profiles.stream().map(Profile::name).toList();
  }
}
