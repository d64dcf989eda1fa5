package dev.sluice.controllers;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;

/** Who takes measurements while it works, for those who watch over a cluster. */
public interface Measured {

  /** What was measured until now. Threads: safe. */
  MetricSnapshots measurements();
}
