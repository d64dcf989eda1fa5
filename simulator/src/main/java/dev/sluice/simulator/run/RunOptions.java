package dev.sluice.simulator.run;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.simulator.VirtualWorld;
import java.time.Duration;
import java.util.Set;

/**
 * What a run needs besides its scenario.
 *
 * @param groups the controllers that run
 * @param horizon the virtual time after which it ends in any case: a CronJob goes on forever
 * @param progress is notified now and then
 */
public record RunOptions(
    Configuration configuration,
    Set<Group> groups,
    SchedulerConfiguration scheduling,
    Duration horizon,
    Progress progress) {

  /** All controllers with their defaults, until nothing is left to happen. */
  public static final RunOptions DEFAULT =
      new RunOptions(
          Configuration.DEFAULT,
          ControllerSet.SIMULATED,
          SchedulerConfiguration.DEFAULT,
          VirtualWorld.LONGEST,
          (_, _, _) -> {});

  /** The same with another horizon. */
  public RunOptions withHorizon(Duration horizon) {
    return new RunOptions(configuration, groups, scheduling, horizon, progress);
  }

  /** The same with another configuration. */
  public RunOptions with(Configuration configuration) {
    return new RunOptions(configuration, groups, scheduling, horizon, progress);
  }

  /** A listener that shows how far a run is. */
  public interface Progress {
    void reached(Duration elapsed, int submitted, int ended);
  }
}
