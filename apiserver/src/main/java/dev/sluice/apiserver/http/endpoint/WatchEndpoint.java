package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.limit.InFlight;
import dev.sluice.apiserver.http.limit.Limits;
import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.ListOptions;
import dev.sluice.apiserver.http.request.Negotiation;
import dev.sluice.apiserver.http.request.Representation;
import dev.sluice.apiserver.http.request.Representations;
import dev.sluice.apiserver.http.request.ResourceRequest;
import dev.sluice.apiserver.http.request.Selections;
import dev.sluice.apiserver.http.selector.Selection;
import dev.sluice.apiserver.http.watch.EventBuffer;
import dev.sluice.apiserver.http.watch.Freshness;
import dev.sluice.apiserver.http.watch.OpenWatches;
import dev.sluice.apiserver.http.watch.WatchEvent;
import dev.sluice.apiserver.http.watch.WatchStream;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.CompactedException;
import dev.sluice.store.Snapshot;
import dev.sluice.store.Store;
import dev.sluice.store.Watch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The endpoint of watch. */
public final class WatchEndpoint {
  private static final long SHORTEST_SECONDS = 1800;

  private final Store store;
  private final Freshness freshness;
  private final Selections selections;
  private final Representations views;
  private final TimeSource time;
  private final OpenWatches open;
  private final int backlog;
  private final InFlight places;

  public WatchEndpoint(
      Store store,
      Freshness freshness,
      Selections selections,
      Representations views,
      OpenWatches open,
      Limits limits) {
    this.store = store;
    this.freshness = freshness;
    this.selections = selections;
    this.views = views;
    this.time = views.time();
    this.open = open;
    this.backlog = limits.watchBacklog();
    this.places = new InFlight(limits.watches(), "open watches");
  }

  ApiResponse.Streaming watch(ResourceRequest operation) {
    Representation view = views.ofWatch(operation);
    ListOptions options = ListOptions.parse(operation.call().query()).forWatch();
    Selection selection = selections.of(operation);
    InFlight.Place place = places.enter();
    try {
      return new ApiResponse.Streaming(
          contentType(view), source(operation, view, options, selection, place));
    } catch (CompactedException tooOld) {
      place.close();
      String message = String.valueOf(tooOld.getMessage());
      Tree status = ApiFailure.because(Reason.EXPIRED, message).failure().status();
      return new ApiResponse.Streaming(contentType(view), failed(view, status));
    } catch (RuntimeException refused) {
      place.close();
      throw refused;
    }
  }

  private ApiResponse.Source source(
      ResourceRequest operation,
      Representation view,
      ListOptions options,
      Selection selection,
      InFlight.Place place) {
    long asked = options.revision().orElse(0);
    boolean initial = options.initialEvents().orElse(asked == 0);
    boolean mustWait = initial || options.initialEvents().isPresent();
    Snapshot snapshot = mustWait ? freshness.notOlderThan(asked) : store.snapshot();
    long current = snapshot.revision();
    // A watch from a future revision waits until that revision exists.
    long from = initial || asked == 0 ? current : Math.min(asked, current);
    long silentUntil = initial ? current : asked;
    var start =
        new WatchStream.Start(
            initial ? initialObjects(snapshot, operation, selection) : List.of(),
            Math.max(from, silentUntil),
            initial && options.bookmarks());
    var buffer = new EventBuffer(backlog, store::oldest);
    Watch watch = subscribe(operation, selection, from, silentUntil, buffer);
    buffer.live();
    open.add(buffer);
    return new WatchStream(
        view,
        start,
        buffer,
        watch,
        options.timeout().orElseGet(WatchEndpoint::anyTimeout),
        options.bookmarks(),
        time,
        () -> {
          open.remove(buffer);
          place.close();
        });
  }

  private Watch subscribe(
      ResourceRequest operation,
      Selection selection,
      long from,
      long silentUntil,
      EventBuffer buffer) {
    String namespace = operation.namespace();
    return store.watch(
        operation.kind().kind(),
        from,
        change -> {
          boolean here = namespace.isEmpty() || namespace.equals(change.key().namespace());
          if (here && change.revision() > silentUntil) {
            WatchEvent.of(change, selection).ifPresent(buffer::add);
          }
        });
  }

  private static List<ApiObject> initialObjects(
      Snapshot snapshot, ResourceRequest operation, Selection selection) {
    return Lister.candidates(snapshot, operation.kind().kind(), operation.namespace(), selection)
        .stream()
        .filter(selection::matches)
        .toList();
  }

  /** A random timeout, so that watches that were opened together are not all reopened together. */
  private static Duration anyTimeout() {
    return Duration.ofSeconds(
        SHORTEST_SECONDS + ThreadLocalRandom.current().nextLong(SHORTEST_SECONDS));
  }

  private static String contentType(Representation view) {
    String type = view.choice().contentType();
    return view.choice().encoding() == Negotiation.Encoding.PROTOBUF
        ? type + ";stream=watch"
        : type;
  }

  /** A stream that contains only an error: the handshake has succeeded by then. */
  private static ApiResponse.Source failed(Representation view, Tree status) {
    return new ApiResponse.Source() {
      @Override
      public void run(ApiResponse.Sink sink) throws IOException {
        sink.write(WatchStream.event(view.choice(), "ERROR", status));
      }

      @Override
      public void abandon() {
        // The stream ends at once anyway.
      }
    };
  }
}
