package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet.Group;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The check for flags that no controller would act on, which are errors.
 *
 * @param running the controllers that are to run
 */
record IdleFlags(Set<Group> running) {

  /**
   * @param users the controllers of which one must run
   */
  void refuse(String flag, boolean given, Set<Group> users) {
    if (given && users.stream().noneMatch(running::contains)) {
      String names = users.stream().sorted().map(Group::word).collect(Collectors.joining(" or "));
      throw UserError.usage(
          "%s has no effect: add %s to --controllers, or leave it out".formatted(flag, names));
    }
  }
}
