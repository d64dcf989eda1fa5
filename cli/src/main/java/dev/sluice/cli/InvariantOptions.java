package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import java.util.Set;
import picocli.CommandLine.Option;

/** Whether the promises of queueing are checked, the same way for every command. */
final class InvariantOptions {
  @Option(
      names = "--check-invariants",
      description =
          "Check the promises of queueing every ten seconds while it runs, and report what is"
              + " broken; for those who look for defects.")
  private boolean check;

  /** These groups of controllers, with the one that checks if that is asked for. */
  Set<Group> with(Set<Group> groups) {
    return check ? ControllerSet.checked(groups) : groups;
  }
}
