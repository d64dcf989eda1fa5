package dev.sluice.kubernetes;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Brings CustomResourceDefinitions into a cluster, or up to date there, and waits until the server
 * serves them.
 *
 * <p>Threads: one installer belongs to one thread.
 */
public final class CrdInstaller {
  private static final int ATTEMPTS = 5;

  private final Cluster cluster;
  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private final java.util.concurrent.locks.Condition changed = lock.newCondition();

  /**
   * An installer on a cluster.
   *
   * @param patience how long to wait for each definition; a server takes about five seconds
   */
  public CrdInstaller(Cluster cluster, Duration patience) {
    this.cluster = cluster;
    this.patience = patience;
  }

  /**
   * Creates or updates the definitions and returns once each of them is established.
   *
   * @throws ApiException if the server refuses one, or does not establish it in time
   */
  public void install(List<ApiObject> definitions) {
    try (var _ = cluster.watch(Kinds.CUSTOM_RESOURCE_DEFINITION, event -> wake())) {
      definitions.forEach(this::bring);
      definitions.forEach(this::awaitEstablished);
    }
  }

  private void bring(ApiObject wanted) {
    for (int attempt = 1; ; attempt++) {
      Optional<ApiObject> found = cluster.get(key(wanted));
      try {
        if (found.isEmpty()) {
          cluster.create(Kinds.CUSTOM_RESOURCE_DEFINITION, wanted);
        } else {
          update(found.get(), wanted);
        }
        return;
      } catch (ApiException refused) {
        boolean outdated =
            refused.is(ApiFailure.Reason.CONFLICT) || refused.is(ApiFailure.Reason.ALREADY_EXISTS);
        if (!outdated || attempt == ATTEMPTS) {
          throw explained(wanted, refused);
        }
        await(wanted, "to change", () -> !cluster.get(key(wanted)).equals(found));
      }
    }
  }

  private void update(ApiObject found, ApiObject wanted) {
    // The conversion webhook is registered separately, by the server of the webhooks.
    Tree conversion = found.spec().tree("conversion");
    Tree spec = conversion.isEmpty() ? wanted.spec() : wanted.spec().with("conversion", conversion);
    ApiObject merged = found.withSpec(spec);
    for (var label : wanted.labels().entrySet()) {
      merged = merged.withLabel(label.getKey(), label.getValue());
    }
    for (var annotation : wanted.tree().texts("metadata", "annotations").entrySet()) {
      merged = merged.withAnnotation(annotation.getKey(), annotation.getValue());
    }
    if (!merged.equals(found)) {
      cluster.update(Kinds.CUSTOM_RESOURCE_DEFINITION, merged);
    }
  }

  private void awaitEstablished(ApiObject wanted) {
    await(
        wanted,
        "to be established",
        () -> {
          Tree status = cluster.get(key(wanted)).map(ApiObject::status).orElse(Tree.EMPTY);
          Condition.find(status, "NamesAccepted")
              .filter(names -> names.text("status").equals("False"))
              .ifPresent(names -> {
                throw ApiFailure.because(
                    ApiFailure.Reason.CONFLICT,
                    "CustomResourceDefinition %s clashes with another one: %s"
                        .formatted(wanted.name(), names.text("message")));
              });
          return Condition.holds(status, "Established");
        });
  }

  private void await(ApiObject wanted, String what, BooleanSupplier done) {
    long left = patience.toNanos();
    lock.lock();
    try {
      while (!done.getAsBoolean()) {
        if (left <= 0) {
          throw ApiFailure.because(
              ApiFailure.Reason.TIMEOUT,
              "waited %s in vain for CustomResourceDefinition %s %s"
                  .formatted(GoDuration.format(patience), wanted.name(), what));
        }
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw ApiFailure.because(
          ApiFailure.Reason.SERVICE_UNAVAILABLE,
          "interrupted while waiting for CustomResourceDefinition " + wanted.name() + " " + what);
    } finally {
      lock.unlock();
    }
  }

  private void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static ApiException explained(ApiObject wanted, ApiException refused) {
    String advice =
        refused.is(ApiFailure.Reason.FORBIDDEN)
            ? " Let an administrator of the cluster apply the definitions, or allow this account to"
                + " get, list, watch, create and update customresourcedefinitions."
            : "";
    return ApiFailure.because(
        refused.failure().reason(),
        "cannot install CustomResourceDefinition %s: %s.%s"
            .formatted(wanted.name(), refused.getMessage(), advice));
  }

  private static ObjectKey key(ApiObject definition) {
    return definition.key(Kinds.CUSTOM_RESOURCE_DEFINITION);
  }
}
