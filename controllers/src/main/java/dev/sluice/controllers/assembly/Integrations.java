package dev.sluice.controllers.assembly;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.integration.JobIntegration;
import dev.sluice.controllers.queueing.integration.JobReconciler;
import dev.sluice.controllers.queueing.integration.SliceUngater;
import dev.sluice.controllers.queueing.integration.pod.PodReconciler;
import dev.sluice.controllers.queueing.kinds.JobKinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import java.util.ArrayList;
import java.util.List;

/** The kinds of jobs that can be queued, and their controllers. */
public final class Integrations {
  private Integrations() {}

  /** The controllers for the kinds that the configuration names. */
  public static List<Controller> controllers(Cluster cluster, Configuration configuration) {
    var controllers = new ArrayList<Controller>();
    for (JobIntegration kind : JobKinds.enabled(configuration)) {
      controllers.add(new JobReconciler(cluster, configuration, kind));
    }
    if (configuration.frameworks().contains(KueueNames.POD_FRAMEWORK)) {
      controllers.add(new PodReconciler(cluster, configuration));
    }
    if (configuration.has(Gate.ELASTIC_JOBS)) {
      controllers.add(new SliceUngater(cluster));
    }
    return controllers;
  }
}
