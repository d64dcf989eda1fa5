package dev.sluice.controllers;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;

/** A controller with metrics of its own. */
public interface Measured {

  /** The metrics so far. Threads: safe. */
  MetricSnapshots measurements();
}
