package dev.sluice.apiserver.http.watch;

import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.Negotiation;
import dev.sluice.apiserver.http.request.Representation;
import dev.sluice.apiserver.http.watch.EventBuffer.Signal;
import dev.sluice.apiserver.protobuf.ProtobufEncoder;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.Watch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The stream of one watch: the initial objects, then the changes, one JSON document per line, or
 * one frame of Protobuf each. A bookmark never overtakes an event. Threads: {@link #run} is called
 * once; {@link #abandon} by any thread.
 */
public final class WatchStream implements ApiResponse.Source {
  private static final Duration BOOKMARK_EVERY = Duration.ofMinutes(1);
  private static final int BATCH_BYTES = 64 * 1024;
  private static final Tree EXPIRED =
      ApiFailure.because(
              Reason.EXPIRED,
              "the client has read too slowly for the changes that it watches: list again")
          .failure()
          .status();

  /**
   * The start of a watch.
   *
   * @param objects the initial objects
   * @param revision the revision that the watcher has reached once it has the objects
   * @param marked whether a bookmark follows the initial objects
   */
  public record Start(List<ApiObject> objects, long revision, boolean marked) {
    public Start {
      objects = List.copyOf(objects);
    }
  }

  private final Representation view;
  private final Start start;
  private final EventBuffer buffer;
  private final Watch watch;
  private final Duration timeout;
  private final boolean bookmarks;
  private final TimeSource time;
  private final Runnable onEnd;
  private ByteArrayOutputStream batch = new ByteArrayOutputStream();
  private boolean headed = true;
  private long sentRevision;

  public WatchStream(
      Representation view,
      Start start,
      EventBuffer buffer,
      Watch watch,
      Duration timeout,
      boolean bookmarks,
      TimeSource time,
      Runnable onEnd) {
    this.view = view;
    this.start = start;
    this.buffer = buffer;
    this.watch = watch;
    this.timeout = timeout;
    this.bookmarks = bookmarks;
    this.time = time;
    this.onEnd = onEnd;
    this.sentRevision = start.revision();
  }

  @Override
  public void abandon() {
    buffer.end();
  }

  @Override
  public void run(ApiResponse.Sink sink) throws IOException, InterruptedException {
    try (Subscription _ = time.after(timeout, buffer::end)) {
      sink.write(new byte[0]); // sends the headers before the first event
      for (ApiObject object : start.objects()) {
        put(WatchEvent.ADDED, view.one(object, headed));
        headed = false;
        flushIfFull(sink);
      }
      if (start.marked()) {
        put("BOOKMARK", view.bookmark(start.revision(), true));
      }
      flush(sink);
      follow(sink);
    } finally {
      watch.close();
      onEnd.run();
    }
  }

  private void follow(ApiResponse.Sink sink) throws IOException, InterruptedException {
    Subscription timer = nextTick();
    try {
      while (true) {
        switch (buffer.take()) {
          case Signal.Event(WatchEvent event) -> {
            put(event);
            flushIfIdle(sink);
          }
          case Signal.Tick() -> {
            bookmark();
            flush(sink);
            timer = nextTick();
          }
          case Signal.End() -> {
            bookmark();
            flush(sink);
            return;
          }
          case Signal.Overrun() -> {
            put("ERROR", EXPIRED);
            flush(sink);
            return;
          }
        }
      }
    } finally {
      timer.close();
    }
  }

  private Subscription nextTick() {
    return bookmarks ? time.after(BOOKMARK_EVERY, buffer::tick) : () -> {};
  }

  private void bookmark() {
    if (!bookmarks) {
      return;
    }
    // Read before polling for events: every event up to here is in the buffer by now.
    long progress = watch.progress();
    for (var event = buffer.poll(); event.isPresent(); event = buffer.poll()) {
      put(event.get());
    }
    if (!buffer.isOverrun()) {
      sentRevision = Math.max(sentRevision, progress);
      put("BOOKMARK", view.bookmark(sentRevision, false));
    }
  }

  private void put(WatchEvent event) {
    put(event.type(), view.one(event.object(), headed));
    headed = false;
    sentRevision = Math.max(sentRevision, event.revision());
  }

  private void put(String type, Tree object) {
    batch.writeBytes(event(view.choice(), type, object));
  }

  /** One event in the encoding of the stream. */
  public static byte[] event(Negotiation.Choice choice, String type, Tree object) {
    return choice.encoding() == Negotiation.Encoding.PROTOBUF
        ? ProtobufEncoder.frame(type, object)
        : line(type, object);
  }

  private static byte[] line(String type, Tree object) {
    byte[] json = Json.bytes(Tree.of("type", type, "object", object));
    byte[] line = Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    return line;
  }

  /** Flushes unless more events are buffered, which then share one write. */
  private void flushIfIdle(ApiResponse.Sink sink) throws IOException {
    Optional<WatchEvent> more = buffer.poll();
    while (more.isPresent()) {
      put(more.get());
      flushIfFull(sink);
      more = buffer.poll();
    }
    flush(sink);
  }

  private void flushIfFull(ApiResponse.Sink sink) throws IOException {
    if (batch.size() >= BATCH_BYTES) {
      flush(sink);
    }
  }

  private void flush(ApiResponse.Sink sink) throws IOException {
    if (batch.size() > 0) {
      byte[] bytes = batch.toByteArray();
      // A client that does not read holds up the write for long, and large objects are large.
      batch = new ByteArrayOutputStream();
      sink.write(bytes);
    }
  }
}
