package dev.sluice.controllers.jobs;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Makes and removes the pods of Jobs. */
final class PodWriter {
  private static final String NAME_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final int NAME_SUFFIX = 5;
  private static final int NAME_BASE = 58;
  private static final int NAME_ATTEMPTS = 8;
  private static final int RELEASE_ATTEMPTS = 3;

  private final Cluster cluster;
  private final EventRecorder events;
  private final PodsOfJobs pods;

  PodWriter(Cluster cluster, EventRecorder events, PodsOfJobs pods) {
    this.cluster = cluster;
    this.events = events;
    this.pods = pods;
  }

  /** Creates pods until one is refused, and returns that refusal. */
  Optional<ApiException> create(Job job, long count) {
    for (long i = 0; i < count; i++) {
      try {
        ApiObject pod = createOne(job);
        pods.created(pod);
        events.normal(job.object(), "SuccessfulCreate", "Created pod: " + pod.name());
      } catch (ApiException refused) {
        if (!isNamespaceTerminating(refused)) {
          events.warning(job.object(), "FailedCreate", "Error creating: " + refused.getMessage());
        }
        return Optional.of(refused);
      }
    }
    return Optional.empty();
  }

  private ApiObject createOne(Job job) {
    String base = job.name() + "-";
    for (int attempt = 1; ; attempt++) {
      try {
        return cluster.create(Kinds.POD, job.pod(name(base, cluster.random()), base));
      } catch (ApiException refused) {
        if (!refused.is(ApiFailure.Reason.ALREADY_EXISTS) || attempt == NAME_ATTEMPTS) {
          throw refused;
        }
      }
    }
  }

  static String name(String base, RandomGenerator random) {
    var name = new StringBuilder(base.length() > NAME_BASE ? base.substring(0, NAME_BASE) : base);
    for (int i = 0; i < NAME_SUFFIX; i++) {
      name.append(NAME_LETTERS.charAt(random.nextInt(NAME_LETTERS.length())));
    }
    return name.toString();
  }

  static boolean isNamespaceTerminating(ApiException refused) {
    return refused.failure().causes().stream()
        .anyMatch(cause -> cause.reason().equals("NamespaceTerminating"));
  }

  /** Removes active pods that are not to be counted: they lose the finalizer first. */
  void remove(Job job, List<Pod> unwanted) {
    for (Pod pod : unwanted) {
      if (release(pod, Pod::isActive)) {
        delete(job, pod);
      }
    }
  }

  /** Asks active pods to end; how they do is counted. */
  void finish(Job job, List<Pod> ended) {
    ended.forEach(pod -> delete(job, pod));
  }

  private void delete(Job job, Pod pod) {
    try {
      cluster.delete(Kinds.POD, pod.object(), Deletion.BACKGROUND);
    } catch (ApiException refused) {
      if (isGone(refused)) {
        return;
      }
      events.warning(job.object(), "FailedDelete", "Error deleting: " + refused.getMessage());
      throw refused;
    }
    events.normal(job.object(), "SuccessfulDelete", "Deleted pod: " + pod.name());
  }

  /** Takes the finalizer from a pod; returns whether it holds none any more. */
  boolean release(Pod pod) {
    return release(pod, ignored -> true);
  }

  private boolean release(Pod pod, Predicate<Pod> allowed) {
    Pod seen = pod;
    for (int attempt = 1; attempt <= RELEASE_ATTEMPTS; attempt++) {
      if (!seen.object().hasFinalizer(Job.TRACKING)) {
        return true;
      }
      try {
        cluster.update(Kinds.POD, seen.object().withoutFinalizer(Job.TRACKING));
        return true;
      } catch (ApiException refused) {
        if (refused.is(ApiFailure.Reason.NOT_FOUND)) {
          return true;
        }
        if (!refused.is(ApiFailure.Reason.CONFLICT)) {
          throw refused;
        }
      }
      Optional<Pod> now =
          cluster.get(pod.key()).map(Pod::new).filter(found -> found.uid().equals(pod.uid()));
      if (now.isEmpty()) {
        return true;
      }
      if (!allowed.test(now.get())) {
        return false;
      }
      seen = now.get();
    }
    return false;
  }

  private static boolean isGone(ApiException refused) {
    return refused.is(ApiFailure.Reason.NOT_FOUND) || refused.is(ApiFailure.Reason.CONFLICT);
  }
}
