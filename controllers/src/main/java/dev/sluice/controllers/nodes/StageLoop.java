package dev.sluice.controllers.nodes;

import dev.sluice.controllers.ChangedKeys;
import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.nodes.stage.Moment;
import dev.sluice.controllers.nodes.stage.Stage;
import dev.sluice.controllers.nodes.stage.StageStoppedException;
import dev.sluice.controllers.nodes.template.TemplateException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ExponentialBackoff;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;

/**
 * The loop that moves the objects of one kind through their stages, many at a time.
 *
 * <p>After every change of an object its next stage and the delay are chosen again, as KWOK does.
 * Stages that are due are performed in parallel. An object whose stage fails has an event that says
 * why, and does not delay others.
 *
 * <p>Threads: {@link #changed} and {@link #stagesChanged} are safe; {@link #turn} belongs to one
 * thread at a time.
 */
final class StageLoop {
  private static final int MAX_AT_ONCE = 512;
  private static final ExponentialBackoff RETRIES =
      new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofMinutes(32));

  /** A retry is up to a fifth later, so that not all retries come at once. */
  private static final int RETRY_JITTER_PART = 5;

  private static final String FAILED = "StageFailed";

  private final Cluster cluster;
  private final StageCatalog catalog;
  private final StageExecutor executor;
  private final EventRecorder events;
  private final Predicate<ApiObject> concerned;
  private final ChangedKeys changed = new ChangedKeys();
  private final ConcurrentSkipListMap<ObjectKey, StageExecutor.Stopped> stopped =
      new ConcurrentSkipListMap<>();
  private final StageSchedule schedule = new StageSchedule();
  private volatile boolean outdated = true;
  private List<Stage> stages = List.of();

  /**
   * @param concerned which objects of the kind it handles
   */
  StageLoop(
      Cluster cluster, StageCatalog catalog, EventRecorder events, Predicate<ApiObject> concerned) {
    this.cluster = cluster;
    this.catalog = catalog;
    this.executor = new StageExecutor(cluster, catalog.kind(), events);
    this.events = events;
    this.concerned = concerned;
  }

  void changed(ObjectKey key) {
    changed.add(key);
  }

  /** The stages changed, so that every object must be scheduled again. */
  void stagesChanged(List<ObjectKey> objects) {
    outdated = true;
    objects.forEach(changed::add);
  }

  /** Schedules the objects that changed, and performs the stages that are due. */
  Outcome turn() {
    if (outdated) {
      outdated = false;
      stages = catalog.stages();
      schedule.clear();
    }
    changed.takeAll().forEach(this::look);
    List<StageSchedule.Entry> due = schedule.takeDue(cluster.time().now(), MAX_AT_ONCE);
    cluster.together(due.stream().<Runnable>map(entry -> () -> play(entry)).toList());
    for (StageSchedule.Entry entry : due) {
      Optional.ofNullable(stopped.remove(entry.key())).ifPresent(rest -> retryLater(entry, rest));
    }
    return next();
  }

  private Outcome next() {
    Instant now = cluster.time().now();
    return schedule
        .next()
        .map(at -> Outcome.again(at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO))
        .orElse(Outcome.DONE);
  }

  private void look(ObjectKey key) {
    Optional<ApiObject> found = cluster.get(key).filter(concerned);
    Optional<StageSchedule.Entry> before = schedule.of(key);
    if (found.isPresent() && before.filter(entry -> entry.isFor(found.get())).isPresent()) {
      return;
    }
    schedule.remove(key);
    found.ifPresent(object -> choose(key, object, before));
  }

  private void choose(ObjectKey key, ApiObject object, Optional<StageSchedule.Entry> before) {
    try {
      schedule(key, object, before);
    } catch (StageStoppedException exceeded) {
      stop(exceeded, object);
      choose(key, object, before);
    }
  }

  /**
   * Takes a stage out until the stages change: what it costs for this object it may cost for every
   * other one, and while it is evaluated no object makes progress.
   */
  private void stop(StageStoppedException exceeded, ApiObject object) {
    Stage stage = exceeded.stage();
    stages = stages.stream().filter(other -> other != stage).toList();
    events.warning(
        object,
        FAILED,
        "stage %s is stopped until stages change: %s in its expressions for this object"
            .formatted(stage.name(), exceeded.why()));
  }

  private void schedule(ObjectKey key, ApiObject object, Optional<StageSchedule.Entry> before) {
    Instant now = cluster.time().now();
    Stage.next(stages, object.tree(), new Moment(now, now, cluster.random()))
        .ifPresent(stage -> {
          Instant since =
              before
                  .filter(entry -> entry.isHeadingFor(stage, object))
                  .map(StageSchedule.Entry::since)
                  .orElse(now);
          var moment = new Moment(now, since, cluster.random());
          Instant due = now.plus(stage.delay(object.tree(), moment));
          schedule.put(key, object, stage, since, due, 0);
        });
  }

  private void play(StageSchedule.Entry entry) {
    try {
      executor.play(entry.seen(), entry.stage()).ifPresent(rest -> refuse(entry, rest));
    } catch (TemplateException wrong) {
      complain(entry, wrong.why());
    }
    // An object that did not change would enter the same stage again, without end.
    boolean moved = cluster.get(entry.key()).filter(entry::isFor).isEmpty();
    if (entry.stage().goesOnAtOnce() && moved) {
      changed.add(entry.key());
    }
  }

  private void refuse(StageSchedule.Entry entry, StageExecutor.Stopped rest) {
    switch (rest.why().reason()) {
      case NOT_FOUND -> {
        // Usually the object is gone; otherwise a subresource or a namespace is missing.
        if (cluster.get(entry.key()).isPresent()) {
          complain(entry, rest.why().message());
        }
      }
      case CONFLICT -> changed.add(entry.key());
      case TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE, TIMEOUT, INTERNAL_ERROR ->
          stopped.put(entry.key(), rest);
      default -> complain(entry, rest.why().message());
    }
  }

  private void complain(StageSchedule.Entry entry, String why) {
    events.warning(entry.seen(), FAILED, "stage %s: %s".formatted(entry.stage().name(), why));
  }

  /** Steps that are done are not repeated. */
  private void retryLater(StageSchedule.Entry entry, StageExecutor.Stopped rest) {
    Duration least = RETRIES.delay(entry.tries() + 1);
    long more = least.toMillis() / RETRY_JITTER_PART;
    Duration delay = least.plusMillis(cluster.random().nextLong(more));
    schedule.put(
        entry.key(),
        rest.object(),
        rest.rest(),
        entry.since(),
        cluster.time().now().plus(delay),
        entry.tries() + 1);
  }
}
