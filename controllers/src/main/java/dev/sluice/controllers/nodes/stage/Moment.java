package dev.sluice.controllers.nodes.stage;

import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * What a decision may know besides the object.
 *
 * @param since when the object came into the state it is in, as exactly as anybody remembers
 */
public record Moment(Instant now, Instant since, RandomGenerator random) {}
