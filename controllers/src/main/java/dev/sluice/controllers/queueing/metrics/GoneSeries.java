package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.configuration.ManagerSettings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Cohort;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Trigger;
import dev.sluice.runtime.ObjectEvent;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The removal of the series of deleted queues, cohorts and priority classes, so that neither memory
 * nor dashboards fill up.
 */
final class GoneSeries {
  private final Cluster cluster;
  private final ManagerSettings.Metrics settings;
  private final Meters meters;

  GoneSeries(Cluster cluster, ManagerSettings.Metrics settings, Meters meters) {
    this.cluster = cluster;
    this.settings = settings;
    this.meters = meters;
  }

  List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.WORKLOAD_PRIORITY_CLASS, listener(this::priorityClass)),
        new Trigger(Kinds.PRIORITY_CLASS, listener(this::priorityClass)),
        new Trigger(Kinds.CLUSTER_QUEUE, listener(this::clusterQueue)),
        new Trigger(Kinds.COHORT, listener(this::cohort)),
        new Trigger(Kinds.LOCAL_QUEUE, listener(this::localQueue)));
  }

  /** A listener for events, none of which enqueues a key. */
  private static Function<ObjectEvent, List<ObjectKey>> listener(Consumer<ObjectEvent> action) {
    return event -> {
      action.accept(event);
      return List.of();
    };
  }

  private void priorityClass(ObjectEvent event) {
    if (event.type() == ObjectEvent.Type.DELETED) {
      remove("priority_class", event.object().name());
    }
  }

  private void clusterQueue(ObjectEvent event) {
    if (event.type() == ObjectEvent.Type.DELETED) {
      remove("cluster_queue", event.object().name());
      remove("preempting_cluster_queue", event.object().name());
    }
    parentChanged(event, queue -> new ClusterQueue(queue).cohort());
  }

  private void cohort(ObjectEvent event) {
    if (event.type() == ObjectEvent.Type.DELETED) {
      remove("cohort", event.object().name());
    }
    parentChanged(event, cohort -> new Cohort(cohort).parent());
  }

  /**
   * Removes the series of a cohort without an object once no queue or cohort names it as parent.
   */
  private void parentChanged(ObjectEvent event, Function<ApiObject, String> parent) {
    String now = event.type() == ObjectEvent.Type.DELETED ? "" : parent.apply(event.object());
    event
        .before()
        .map(parent)
        .filter(left -> !left.isEmpty() && !left.equals(now) && !exists(left))
        .ifPresent(left -> remove("cohort", left));
  }

  private boolean exists(String cohort) {
    return cluster.get(Kinds.COHORT.key(cohort)).isPresent()
        || cluster.list(Kinds.CLUSTER_QUEUE).stream()
            .anyMatch(queue -> new ClusterQueue(queue).cohort().equals(cohort))
        || cluster.list(Kinds.COHORT).stream()
            .anyMatch(child -> new Cohort(child).parent().equals(cohort));
  }

  private void localQueue(ObjectEvent event) {
    ApiObject queue = event.object();
    boolean gone = event.type() == ObjectEvent.Type.DELETED || !isMeasured(queue);
    if (gone && event.before().filter(this::isMeasured).isPresent()) {
      var labels = new TreeMap<String, String>();
      labels.put("name", queue.name());
      labels.put("namespace", queue.namespace());
      meters.forget(labels);
    }
  }

  private boolean isMeasured(ApiObject localQueue) {
    return WorkloadEventCounter.measures(settings, localQueue);
  }

  private void remove(String label, String value) {
    var labels = new TreeMap<String, String>();
    labels.put(label, value);
    meters.forget(labels);
  }
}
