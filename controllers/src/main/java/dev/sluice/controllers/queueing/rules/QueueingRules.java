package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.integration.JobIntegration;
import dev.sluice.controllers.queueing.kinds.JobKinds;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;

/** All admission hooks of queueing, for the enabled integrations. */
public final class QueueingRules {
  private QueueingRules() {}

  /**
   * @param cluster the cluster of default queues, namespaces and owners
   */
  public static List<AdmissionHook> all(Cluster cluster, Configuration configuration) {
    var rules = new ArrayList<AdmissionHook>();
    rules.add(new ClusterQueueRules(configuration));
    rules.add(new CohortRules());
    rules.add(new ResourceFlavorRules());
    rules.add(new WorkloadRules(configuration));
    for (JobIntegration kind : JobKinds.enabled(configuration)) {
      rules.add(
          kind.kind().equals(Kinds.JOB)
              ? new JobQueueingRules(cluster, configuration)
              : new SuspendedJobRules(cluster, configuration, kind));
    }
    if (configuration.frameworks().contains("pod")) {
      rules.add(new PodQueueingRules(cluster, configuration));
    }
    return List.copyOf(rules);
  }
}
