package dev.sluice.kubernetes;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.GoDuration;
import dev.sluice.model.ResourceKind;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The kinds that are watched: one watch each, started by the first read of the kind.
 *
 * <p>Threads: safe.
 */
final class KindWatches implements AutoCloseable {
  private static final Duration FIRST_LIST = Duration.ofSeconds(60);

  private final KubernetesClient client;
  private final ApiCalls calls;
  private final InFlightWrites writes;
  private final Map<ResourceKind, KindWatch> watches = new ConcurrentHashMap<>();
  private volatile boolean closed;

  KindWatches(KubernetesClient client, ApiCalls calls, InFlightWrites writes) {
    this.client = client;
    this.calls = calls;
    this.writes = writes;
  }

  /** The watch of a kind that was read before, whether or not it is ready. */
  Optional<KindWatch> started(ResourceKind kind) {
    return Optional.ofNullable(watches.get(kind));
  }

  /**
   * The watch of a kind, ready for use.
   *
   * @throws ApiException if the server does not let us watch the kind, or takes too long
   */
  KindWatch of(ResourceKind kind) {
    KindWatch watch = watches.computeIfAbsent(kind, this::start);
    try {
      watch.awaitReady(FIRST_LIST);
      return watch;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw ApiFailure.because(
          ApiFailure.Reason.SERVICE_UNAVAILABLE, "interrupted while waiting to read " + kind);
    } catch (ExecutionException failed) {
      giveUp(kind, watch);
      throw explained(kind, calls.failure(failed).failure());
    } catch (TimeoutException late) {
      giveUp(kind, watch);
      throw ApiFailure.because(
          ApiFailure.Reason.TIMEOUT,
          "the API server at %s did not list %s within %s"
              .formatted(calls.server(), kind, GoDuration.format(FIRST_LIST)));
    }
  }

  private KindWatch start(ResourceKind kind) {
    if (closed) {
      throw new IllegalStateException("cannot read " + kind + ": this connection was closed");
    }
    var watch = new KindWatch(client, kind, writes);
    watch.start();
    return watch;
  }

  /** The next read starts again. */
  private void giveUp(ResourceKind kind, KindWatch watch) {
    watches.remove(kind, watch);
    watch.close();
  }

  private ApiException explained(ResourceKind kind, ApiFailure failure) {
    String advice = "";
    if (failure.reason() == ApiFailure.Reason.NOT_FOUND) {
      advice = " Is its CustomResourceDefinition installed?";
    } else if (failure.reason() == ApiFailure.Reason.FORBIDDEN) {
      advice = " This account needs the verbs list and watch on it, in all namespaces.";
    }
    return ApiFailure.because(
        failure.reason(),
        "cannot read %s from %s: %s.%s".formatted(kind, calls.server(), failure.message(), advice));
  }

  @Override
  public void close() {
    closed = true;
    watches.values().forEach(KindWatch::close);
  }
}
