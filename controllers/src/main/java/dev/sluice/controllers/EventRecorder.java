package dev.sluice.controllers;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.LruMap;
import dev.sluice.model.core.Event;
import dev.sluice.model.core.Event.Happening;
import dev.sluice.runtime.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recorder of one component's events. An event that cannot be written is lost without an error
 * to the caller: events inform users, no decision depends on them.
 *
 * <p>The number of events stays small. A repeated event raises the count of the first. Once ten
 * events about one object differ only in their message, the rest are combined into one. Each object
 * gets a burst of 25, then one every five minutes; all objects together get a burst of a thousand,
 * then 20 a second, so that recording never costs more than the work itself. Events above these
 * limits are dropped. The memory for this is bounded and may be lost.
 *
 * <p>Threads: safe. A lock guards the memory; it is never held during a write.
 */
public final class EventRecorder {
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
  private static final int MAX_MESSAGE = 1024;
  private static final int MAX_NAME = 253;
  private static final int MAX_REMEMBERED = 4096;
  private static final int MAX_SIMILAR = 10;
  private static final Duration SIMILAR_WINDOW = Duration.ofMinutes(10);
  private static final String COMBINED = "(combined from similar events): ";

  /** The key of similar events. */
  private record Topic(String uid, String type, String reason) {}

  /** The key of equal events; all combined events share an empty message. */
  private record Repeat(Topic topic, String message) {}

  private final Cluster cluster;
  private final String component;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Topic, Similar> similar = new LruMap<>(MAX_REMEMBERED);
  private final Map<Repeat, Event> written = new LruMap<>(MAX_REMEMBERED);
  private final Map<String, Allowance> allowances = new LruMap<>(MAX_REMEMBERED);
  private final Allowance all;

  public EventRecorder(Cluster cluster, String component) {
    this.cluster = cluster;
    this.component = component;
    this.all = Allowance.ofAll(cluster.time().now());
  }

  public void normal(ApiObject about, String reason, String message) {
    record(about, "Normal", reason, message);
  }

  public void warning(ApiObject about, String reason, String message) {
    record(about, "Warning", reason, message);
  }

  private void record(ApiObject about, String type, String reason, String message) {
    Instant now = cluster.time().now();
    Optional<Draft> draft = remember(new Topic(about.uid(), type, reason), message, now);
    if (draft.isEmpty()) {
      return;
    }
    try {
      Event event = write(draft.get(), about, now);
      locked(() -> {
        written.put(draft.get().repeat(), event);
        return event;
      });
    } catch (ApiException refused) {
      LOG.debug(
          "the event {} about {} was not recorded: {}", reason, about.path(), refused.getMessage());
    }
  }

  /** An event to write, and the written event that it repeats, if any. */
  private record Draft(Repeat repeat, Optional<Event> before, String text) {}

  private Optional<Draft> remember(Topic topic, String message, Instant now) {
    return locked(() -> {
      Similar others = similar.computeIfAbsent(topic, ignored -> new Similar());
      boolean combined = others.areTooMany(message, now);
      Allowance own = allowances.computeIfAbsent(topic.uid(), _ -> Allowance.ofObject(now));
      if (!own.take(now) || !all.take(now)) {
        return Optional.<Draft>empty();
      }
      String text = shortened(combined ? COMBINED + message : message);
      var repeat = new Repeat(topic, combined ? "" : message);
      return Optional.of(new Draft(repeat, Optional.ofNullable(written.get(repeat)), text));
    });
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  private Event write(Draft draft, ApiObject about, Instant now) {
    if (draft.before().isPresent()) {
      try {
        Event again = draft.before().get().again(draft.text(), now);
        return new Event(cluster.update(Kinds.EVENT, again.object()));
      } catch (ApiException refused) {
        if (!isOutdated(refused)) {
          throw refused;
        }
      }
    }
    Topic topic = draft.repeat().topic();
    var what = new Happening(topic.type(), topic.reason(), draft.text(), component);
    return new Event(cluster.create(Kinds.EVENT, Event.of(name(about), about, what, now).object()));
  }

  /** Another client has removed or changed the event: a new one is created. */
  private static boolean isOutdated(ApiException refused) {
    return refused.is(ApiFailure.Reason.NOT_FOUND) || refused.is(ApiFailure.Reason.CONFLICT);
  }

  private String name(ApiObject about) {
    String suffix = "." + String.format("%016x", cluster.random().nextLong());
    int room = MAX_NAME - suffix.length();
    String name = about.name();
    // No dot may follow a hyphen or another dot, so a name that is cut must not end in one.
    return (name.length() > room ? name.substring(0, room).replaceAll("[-.]+$", "") : name)
        + suffix;
  }

  private static String shortened(String message) {
    return message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE - 3) + "..." : message;
  }

  /** The messages of the events on one topic. */
  private static final class Similar {
    private final TreeSet<String> messages = new TreeSet<>();
    private Instant last = Instant.EPOCH;

    boolean areTooMany(String message, Instant now) {
      if (last.plus(SIMILAR_WINDOW).isBefore(now)) {
        messages.clear();
      }
      last = now;
      if (messages.size() < MAX_SIMILAR) {
        messages.add(message);
      }
      return messages.size() >= MAX_SIMILAR;
    }
  }

  /** A token bucket of events: a burst, then one event per interval. */
  private static final class Allowance {
    private final long burst;
    private final Duration interval;
    private long left;
    private Instant refilled;

    private Allowance(long burst, Duration interval, Instant now) {
      this.burst = burst;
      this.interval = interval;
      this.left = burst;
      this.refilled = now;
    }

    static Allowance ofObject(Instant now) {
      return new Allowance(25, Duration.ofMinutes(5), now);
    }

    static Allowance ofAll(Instant now) {
      return new Allowance(1000, Duration.ofMillis(50), now);
    }

    boolean take(Instant now) {
      long earned = Duration.between(refilled, now).dividedBy(interval);
      if (earned > 0) {
        left = Math.min(burst, left + earned);
        refilled = refilled.plus(interval.multipliedBy(earned));
      }
      boolean allowed = left > 0;
      left -= allowed ? 1 : 0;
      return allowed;
    }
  }
}
