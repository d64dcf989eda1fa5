package dev.sluice.kubernetes;

import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watch of one kind: an informer that feeds a cache, and a dispatcher that notifies listeners
 * of its changes. After an outage of the server the informer lists again, and what was missed
 * becomes events.
 *
 * <p>Threads: safe.
 */
final class KindWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KindWatch.class);

  /** Lists come in pages of this size, so that a large kind is never in memory as one text. */
  private static final long PAGE = 1000;

  private final ResourceKind kind;
  private final String server;
  private final EventDispatcher teller;
  private final KindCache cache;
  private final CompletableFuture<Void> listed = new CompletableFuture<>();
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final SharedIndexInformer<GenericKubernetesResource> informer;

  KindWatch(KubernetesClient client, ResourceKind kind, InFlightWrites writes) {
    this.kind = kind;
    this.server = client.getConfiguration().getMasterUrl();
    this.teller = new EventDispatcher(kind.qualifiedPlural());
    this.cache = new KindCache(kind, writes, teller::tell);
    this.informer = informer(client, kind);
  }

  private static SharedIndexInformer<GenericKubernetesResource> informer(
      KubernetesClient client, ResourceKind kind) {
    var context =
        new ResourceDefinitionContext.Builder()
            .withGroup(kind.group())
            .withVersion(kind.version())
            .withKind(kind.kind())
            .withPlural(kind.plural())
            .withNamespaced(kind.namespaced())
            .build();
    return client
        .genericKubernetesResources(context)
        .inAnyNamespace()
        .withLimit(PAGE)
        .runnableInformer(0)
        .removeNamespaceIndex()
        .itemStore(new SkeletonStore());
  }

  /** Starts to list and watch, without waiting for it. */
  void start() {
    informer
        .addEventHandler(new Feed())
        .exceptionHandler((started, failure) -> started && renewed(failure))
        .start()
        // The informer counts as started before its list has reached the cache.
        .thenCompose(started -> listed)
        .whenComplete((done, failure) -> {
          if (failure == null) {
            ready.complete(null);
          } else {
            ready.completeExceptionally(failure);
          }
        });
  }

  private boolean renewed(Throwable failure) {
    LOG.warn("the watch of {} at {} failed and is renewed: {}", kind, server, failure.toString());
    return true;
  }

  /** Waits until the cache has the first list and the watch runs; throws what prevents it. */
  void awaitReady(Duration patience)
      throws InterruptedException, ExecutionException, TimeoutException {
    ready.get(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  KindCache cache() {
    return cache;
  }

  /** Notifies a listener of what exists, then of every change; returns after the former. */
  Subscription tell(Consumer<ObjectEvent> listener) {
    var joined = new AtomicReference<Subscription>(() -> {});
    cache.betweenChanges(existing -> joined.set(teller.join(listener, existing)));
    if (!teller.awaitTold()) {
      throw new IllegalStateException(
          "cannot watch " + kind + ": the connection to " + server + " was closed");
    }
    return joined.get();
  }

  @Override
  public void close() {
    informer.stop();
    ready.completeExceptionally(new IllegalStateException("the connection was closed"));
    teller.close();
  }

  /** The events of the informer, in order and one at a time. */
  private final class Feed implements ResourceEventHandler<GenericKubernetesResource> {
    @Override
    public void onAdd(GenericKubernetesResource resource) {
      cache.shown(TreeConversion.object(resource));
      teller.awaitRoom();
    }

    @Override
    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource resource) {
      onAdd(resource);
    }

    @Override
    public void onDelete(GenericKubernetesResource resource, boolean finalStateUnknown) {
      cache.shownGone(TreeConversion.object(resource));
    }

    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
      cache.shownAll(resourceVersion);
      listed.complete(null);
    }
  }
}
