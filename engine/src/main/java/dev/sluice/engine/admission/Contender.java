package dev.sluice.engine.admission;

/** The head of a line that takes part in a round, with what is known of it. */
sealed interface Contender permits Nomination, Contender.Glanced {

  WaitingLine line();

  WaitingItem item();

  /** How far up the tree it borrows. */
  int level();

  default boolean isPreemptor() {
    return line().isPreemptor(item());
  }

  /**
   * One that fit when the round began, and has no choice of flavors. Nothing else needs to be found
   * out before its turn comes, and mostly it comes too late.
   */
  record Glanced(WaitingLine line, WaitingItem item, int level) implements Contender {}
}
