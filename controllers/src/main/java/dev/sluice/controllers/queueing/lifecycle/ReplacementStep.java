package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.SliceRules;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Outcome;
import java.util.Optional;

/**
 * The step that finishes the slice that an admitted workload replaces. It is for slices without an
 * owner; the integration of a job finishes those of the job.
 */
final class ReplacementStep implements WorkloadStep {
  private final Cluster cluster;
  private final Configuration configuration;
  private final WorkloadWriter writer;

  ReplacementStep(Cluster cluster, Configuration configuration, WorkloadWriter writer) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.writer = writer;
  }

  @Override
  public Optional<Outcome> take(Workload successor) {
    if (!successor.admitted() || !configuration.has(Gate.ELASTIC_JOBS)) {
      return Optional.empty();
    }
    return SliceRules.predecessor(successor.object())
        .flatMap(cluster::get)
        .map(Workload::new)
        .filter(slice -> slice.object().owners().isEmpty() && !slice.finished())
        .filter(slice -> SliceRules.areOfOneJob(slice, successor))
        .flatMap(slice -> replace(slice, successor));
  }

  private Optional<Outcome> replace(Workload slice, Workload successor) {
    WorkloadStatus continued = SliceRules.continued(slice, successor, writer.now());
    if (!continued.equals(successor.status())) {
      return writer.status(successor, continued);
    }
    String message = SliceRules.message(successor);
    Optional<Outcome> written =
        writer.status(
            slice,
            WorkloadTransitions.finish(slice.status(), SliceRules.REPLACED, message, writer.now()));
    writer.normal(slice, SliceRules.REPLACED, message);
    return written;
  }
}
