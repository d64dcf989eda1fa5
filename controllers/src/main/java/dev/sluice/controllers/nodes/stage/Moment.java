package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.bounds.Meter;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * The inputs of a decision about stages other than the object.
 *
 * @param since when the object entered its current state, as exactly as it is known
 * @param meter the steps that the expressions of one stage take for one object
 */
public record Moment(Instant now, Instant since, RandomGenerator random, Meter meter) {
  /** The limit for one stage and one object: about a second. */
  private static final long MAX_STEPS = 1_000_000;

  public Moment(Instant now, Instant since, RandomGenerator random) {
    this(now, since, random, new Meter(MAX_STEPS));
  }

  /** The same for another stage. */
  Moment forStage() {
    return new Moment(now, since, random);
  }
}
