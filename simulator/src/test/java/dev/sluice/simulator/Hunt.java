package dev.sluice.simulator;

import dev.sluice.simulator.run.RefusedStep;
import dev.sluice.simulator.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Looks for a failure of a scenario, makes it small, and keeps it as a scenario file.
 *
 * @param play runs a scenario; returns what is broken, or nothing
 * @param tries how often a smaller scenario may be run
 * @param folder where files are kept
 */
record Hunt(Function<Scenario, Optional<String>> play, int tries, Path folder) {

  /** A scenario that fails, as small as it could be made. */
  record Trophy(String failure, Scenario small, Path file) {}

  Optional<Trophy> search(String name, Scenario scenario) throws IOException {
    Optional<String> failure = play.apply(scenario);
    if (failure.isEmpty()) {
      return Optional.empty();
    }
    String kind = kind(failure.get());
    Scenario small = new Shrinking(smaller -> fails(smaller, kind), tries).shrink(scenario);
    Files.createDirectories(folder);
    Path file = folder.resolve(name + ".yaml");
    Files.writeString(file, small.yaml());
    return Optional.of(new Trophy(failure.get(), small, file));
  }

  private boolean fails(Scenario smaller, String kind) {
    try {
      return play.apply(smaller).filter(one -> kind(one).equals(kind)).isPresent();
    } catch (RefusedStep unplayable) {
      return false; // it lost a part that others need
    }
  }

  /** What is left of a failure's text without the names and times in it. */
  private static String kind(String failure) {
    return failure.replaceAll("\\S*[0-9/]\\S*", "");
  }
}
