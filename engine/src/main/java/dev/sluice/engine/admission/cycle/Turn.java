package dev.sluice.engine.admission.cycle;

/** What is known of an entry of a cycle when its turn comes. */
public sealed interface Turn permits Nomination, Turn.NotNominated {

  /** The entry came too late for a nomination. */
  enum NotNominated implements Turn {
    /** It is still inadmissible, and the reason is the one that its condition has. */
    STILL_INADMISSIBLE,
    /** It fit when the cycle began, but no longer after the entries before it. */
    NO_LONGER_FITS
  }
}
