package dev.sluice.controllers.nodes.stage;

import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * The inputs of a decision about stages other than the object.
 *
 * @param since when the object entered its current state, as exactly as it is known
 */
public record Moment(Instant now, Instant since, RandomGenerator random) {}
