package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.registry.kind.ApiErrors;
import dev.sluice.apiserver.registry.kind.RuledKind;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.PodDisruptionBudget;
import dev.sluice.model.core.pod.Disruption;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion.Propagation;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.StaleException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The eviction of pods, as far as their disruption budgets allow it: the subresource {@code
 * eviction}. Threads: safe.
 */
final class Evictor {
  private static final Tree DONE =
      Tree.of("kind", "Status", "apiVersion", "v1")
          .with("metadata", Tree.EMPTY)
          .with("status", "Success")
          .with("code", 201);
  private static final int MAX_DISRUPTED = 2000;
  private static final int LATER_SECONDS = 10;

  private final StorageWriter writer;
  private final Deleter deleter;
  private final TimeSource time;

  Evictor(StorageWriter writer, Deleter deleter, TimeSource time) {
    this.writer = writer;
    this.deleter = deleter;
    this.time = time;
  }

  /** Evicts the pod and returns a Status. */
  Tree evict(RuledKind pods, ObjectKey key, Tree eviction, boolean dryRun) {
    String name = eviction.text("metadata", "name");
    if (!name.isEmpty() && !name.equals(key.name())) {
      throw ApiErrors.badRequest("name in URL does not match name in Eviction object");
    }
    Tree options = eviction.tree("deleteOptions");
    boolean dry = dryRun || !options.textItems("dryRun").isEmpty();
    for (int attempt = 1; ; attempt++) {
      ApiObject pod = writer.read(key).orElseThrow(() -> ApiFailure.notFound(key));
      ApiErrors.checkPreconditions(key, pod, options.tree("preconditions"));
      try {
        spend(pod, dry);
        mark(key, pod, dry);
        deleter.delete(pods, key, request(pod, options, dry));
        return DONE;
      } catch (StaleException lost) {
        if (attempt == Updater.ATTEMPTS) {
          throw ApiFailure.conflict(key);
        }
      }
    }
  }

  /** The deletion of this very pod, at whatever revision the new condition gave it. */
  private static DeleteRequest request(ApiObject pod, Tree options, boolean dryRun) {
    Optional<Propagation> propagation =
        Stream.of(Propagation.values())
            .filter(one -> one.word().equals(options.text("propagationPolicy")))
            .findFirst();
    return new DeleteRequest(
        options.whole("gracePeriodSeconds"),
        propagation,
        Optional.of(pod.uid()),
        Optional.empty(),
        dryRun);
  }

  private void mark(ObjectKey key, ApiObject stored, boolean dryRun) {
    Pod pod = new Pod(stored);
    Pod marked = pod.withStatus(Disruption.EVICTION.in(pod.status(), time.now()));
    writer.replace(key, stored, marked.object(), dryRun);
  }

  /** Takes one disruption from the budget of the pod, if it has one and needs it. */
  private void spend(ApiObject stored, boolean dryRun) {
    Pod pod = new Pod(stored);
    if (pod.isDeleting() || pod.isTerminal() || pod.phase() == Pod.Phase.PENDING) {
      return;
    }
    List<ApiObject> budgets =
        writer.snapshot().list(Kinds.POD_DISRUPTION_BUDGET, pod.namespace()).stream()
            .filter(budget -> new PodDisruptionBudget(budget).covers(stored))
            .toList();
    if (budgets.size() > 1) {
      throw ApiFailure.because(
          Reason.INTERNAL_ERROR,
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
              + " support.");
    }
    if (budgets.isEmpty()) {
      return;
    }
    var budget = new PodDisruptionBudget(budgets.getFirst());
    if (!pod.isReady() && goesUnhealthy(budget)) {
      return;
    }
    check(budget);
    Instant now = time.now();
    PodDisruptionBudget spent = budget.spentOn(pod.name(), now);
    writer.replace(budget.key(), budget.object(), spent.object(), dryRun);
  }

  /** Whether unhealthy pods may be evicted: always by policy, or while enough pods are healthy. */
  private static boolean goesUnhealthy(PodDisruptionBudget budget) {
    boolean enough =
        budget.currentHealthy() >= budget.desiredHealthy() && budget.desiredHealthy() > 0;
    return budget.letsUnhealthyGo() || enough;
  }

  private static void check(PodDisruptionBudget budget) {
    if (!budget.isObserved()) {
      throw tooMany(
          "The disruption budget %s is still being processed by the server."
              .formatted(budget.name()),
          LATER_SECONDS);
    }
    if (budget.disrupted().size() > MAX_DISRUPTED) {
      throw ApiFailure.forbidden(
          budget.key(),
          "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
    }
    if (budget.disruptionsAllowed() <= 0) {
      throw tooMany(whyNone(budget), 0);
    }
  }

  private static String whyNone(PodDisruptionBudget budget) {
    if (!budget.whyUncounted().isEmpty()) {
      return "The disruption budget %s does not allow evicting pods currently because it failed sync: %s"
          .formatted(budget.name(), budget.whyUncounted());
    }
    return budget.currentHealthy() <= budget.desiredHealthy()
        ? "The disruption budget %s needs %d healthy pods and has %d currently"
            .formatted(budget.name(), budget.desiredHealthy(), budget.currentHealthy())
        : "The disruption budget %s does not allow evicting pods currently"
            .formatted(budget.name());
  }

  private static ApiException tooMany(String why, int retryAfter) {
    return new ApiFailure(
            Reason.TOO_MANY_REQUESTS,
            "Cannot evict pod as it would violate the pod's disruption budget.",
            "",
            "",
            "",
            List.of(new Cause("DisruptionBudget", "", why)),
            retryAfter)
        .exception();
  }
}
