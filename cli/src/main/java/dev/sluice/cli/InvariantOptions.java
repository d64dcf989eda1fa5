package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import java.util.Set;
import picocli.CommandLine.Option;

/** The switch that checks the invariants of queueing, the same for every command. */
final class InvariantOptions {
  @Option(
      names = "--check-invariants",
      description =
          "Check the invariants of queueing every ten seconds while it runs, and report those that"
              + " are violated; for finding defects.")
  private boolean check;

  /**
   * These groups of controllers, with the one that checks if the flag is given. It compares the
   * memory of queueing, so it needs that group.
   */
  Set<Group> with(Set<Group> groups) {
    Set<Group> all = check ? ControllerSet.checked(groups) : groups;
    if (all.contains(Group.INVARIANTS) && !all.contains(Group.QUEUEING)) {
      throw UserError.usage(
          "the invariants of queueing are checked only where it runs: add queueing to --controllers,"
              + " or leave out invariants and --check-invariants");
    }
    return all;
  }
}
