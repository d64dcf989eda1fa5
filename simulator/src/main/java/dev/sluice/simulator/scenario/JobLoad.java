package dev.sluice.simulator.scenario;

import dev.sluice.model.tree.Tree;
import dev.sluice.simulator.load.Arrivals;
import dev.sluice.simulator.load.Times;
import java.util.Optional;

/**
 * Jobs that are made from one template.
 *
 * @param name the prefix of their names
 * @param duration how long their pods run; empty if the trace or the template says it
 * @param onceAllReady whether this time begins only when all pods of a job are ready
 * @param template metadata and spec
 */
public record JobLoad(
    String name,
    Arrivals arrivals,
    Optional<Times> duration,
    boolean onceAllReady,
    Tree template) {}
