package dev.sluice.simulator.scenario;

import dev.sluice.simulator.load.Times;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the Scenario object of a file says.
 *
 * @param name empty for a file without such an object
 * @param seeds empty for that of the command line
 * @param mayLeaveJobs whether jobs need not end
 * @param podStartDelay from the binding of a pod until it is ready
 */
public record ScenarioSpec(
    String name,
    List<Long> seeds,
    Optional<Duration> horizon,
    boolean mayLeaveJobs,
    List<NodePool> pools,
    List<JobLoad> jobs,
    Optional<Times> podStartDelay,
    List<ClientLimit> clients,
    List<Fault> faults,
    List<Variant> variants,
    List<Expectation> expectations) {

  /** Of a file without a Scenario object. */
  public static final ScenarioSpec NONE =
      new ScenarioSpec(
          "",
          List.of(),
          Optional.empty(),
          false,
          List.of(),
          List.of(),
          Optional.empty(),
          List.of(),
          List.of(),
          List.of(),
          List.of());

  public ScenarioSpec {
    seeds = List.copyOf(seeds);
    pools = List.copyOf(pools);
    jobs = List.copyOf(jobs);
    clients = List.copyOf(clients);
    faults = List.copyOf(faults);
    variants = List.copyOf(variants);
    expectations = List.copyOf(expectations);
  }
}
