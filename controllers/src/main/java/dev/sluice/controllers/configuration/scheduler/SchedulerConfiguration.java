package dev.sluice.controllers.configuration.scheduler;

import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.queue.PodBackoff;
import java.util.List;

/**
 * What an administrator decides about the scheduling of pods.
 *
 * @param profiles at least one; a pod chooses by {@code schedulerName}, and no name is in two
 * @param backoff how long pods pause that found no node
 */
public record SchedulerConfiguration(List<Profile> profiles, PodBackoff backoff) {

  /** What holds without a file, in a world that has no other scheduler. */
  public static final SchedulerConfiguration DEFAULT =
      new SchedulerConfiguration(List.of(Profile.DEFAULT), PodBackoff.DEFAULT);

  public SchedulerConfiguration {
    profiles = List.copyOf(profiles);
    if (profiles.isEmpty()) {
      throw new IllegalArgumentException("without a profile no pod is scheduled");
    }
  }

  /** The usual way for pods that ask for one name, beside other schedulers. */
  public static SchedulerConfiguration named(String name) {
    return new SchedulerConfiguration(List.of(Profile.DEFAULT.named(name)), PodBackoff.DEFAULT);
  }

  /** The names that pods may ask for. */
  public List<String> names() {
    return profiles.stream().map(Profile::name).toList();
  }
}
