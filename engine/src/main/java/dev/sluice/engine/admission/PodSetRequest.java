package dev.sluice.engine.admission;

import dev.sluice.model.Amounts;
import dev.sluice.model.core.PodSpec;

/**
 * A group of pods that asks for room.
 *
 * @param total what all its pods ask for together
 * @param podSpec what else the pods want of their nodes: selectors, affinity, tolerations
 */
public record PodSetRequest(String name, int count, Amounts total, PodSpec podSpec) {}
