package dev.sluice.controllers.queueing.kinds;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.integration.BatchJobIntegration;
import dev.sluice.controllers.queueing.integration.JobIntegration;
import java.util.List;

/** The kinds of jobs that are single objects and can be queued. */
public final class JobKinds {
  private static final List<JobIntegration> ALL =
      List.of(new BatchJobIntegration(), new JobSetIntegration());

  private JobKinds() {}

  /** The integrations that the configuration names. */
  public static List<JobIntegration> enabled(Configuration configuration) {
    return ALL.stream()
        .filter(kind -> configuration.frameworks().contains(kind.framework()))
        .toList();
  }
}
