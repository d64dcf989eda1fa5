package dev.sluice.controllers.nodes;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.nodes.stage.StageReader;
import dev.sluice.controllers.nodes.template.TemplateFunction;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/**
 * The controller that moves objects of every kind except nodes and pods through the users' stages.
 * A kind is watched as long as there are stages for it; a stage for a kind that the API server does
 * not have gets an event that says so, and takes effect once the kind is defined.
 *
 * <p>Threads: it works on its controller's thread, and may be stopped by another.
 */
final class StagedKinds implements Controller {
  private static final ObjectKey STAGES = Kinds.STAGE.key("*");
  private static final ObjectKey DEFINITIONS = Kinds.CUSTOM_RESOURCE_DEFINITION.key("*");
  private static final List<String> ELSEWHERE =
      List.of(Kinds.NODE.toString(), Kinds.POD.toString());
  private static final Duration NEXT_TRY = Duration.ofSeconds(10);

  /** A watched kind with the loop of its objects. */
  private record Life(ResourceKind kind, StageLoop loop, Subscription watch) {}

  private final Cluster cluster;
  private final SortedMap<String, TemplateFunction> functions;
  private final EventRecorder events;
  private final SortedMap<String, Life> lives = new ConcurrentSkipListMap<>();
  private volatile Consumer<ObjectKey> wake = _ -> {};
  private volatile boolean stopped;

  StagedKinds(Cluster cluster, SortedMap<String, TemplateFunction> functions) {
    this.cluster = cluster;
    this.functions = functions;
    this.events = new EventRecorder(cluster, "staged-kinds");
  }

  @Override
  public String name() {
    return "staged-kinds";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        Trigger.onAny(Kinds.STAGE, STAGES),
        Trigger.onAny(Kinds.CUSTOM_RESOURCE_DEFINITION, DEFINITIONS));
  }

  @Override
  public Subscription listen(Consumer<ObjectKey> asked) {
    wake = asked;
    return () -> {
      stopped = true;
      List.copyOf(lives.keySet()).forEach(this::end);
    };
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    if (key.equals(STAGES)) {
      lives.values().forEach(this::stagesChanged);
      return follow();
    }
    if (key.equals(DEFINITIONS)) {
      return follow();
    }
    Life life = lives.get(key.kind().toString());
    return life == null ? Outcome.DONE : life.loop().turn();
  }

  private void stagesChanged(Life life) {
    ResourceKind kind = life.kind();
    life.loop().stagesChanged(cluster.list(kind).stream().map(object -> object.key(kind)).toList());
    wake.accept(all(kind));
  }

  private static ObjectKey all(ResourceKind kind) {
    return kind.key("*", "*");
  }

  /** Watches the kinds that have stages, and no others. */
  private Outcome follow() {
    var wanted = new TreeMap<String, List<ApiObject>>();
    for (ApiObject stage : cluster.list(Kinds.STAGE)) {
      wanted.computeIfAbsent(StageReader.kindOf(stage), _ -> new ArrayList<>()).add(stage);
    }
    wanted.keySet().removeAll(ELSEWHERE);
    for (String name : List.copyOf(lives.keySet())) {
      if (!wanted.containsKey(name)) {
        end(name);
      }
    }
    boolean complete = true;
    for (var each : wanted.entrySet()) {
      complete &= follow(each.getKey(), each.getValue());
    }
    return complete ? Outcome.DONE : Outcome.again(NEXT_TRY);
  }

  /**
   * @return whether there is nothing to retry
   */
  private boolean follow(String name, List<ApiObject> stages) {
    try {
      Optional<ResourceKind> kind = served(name);
      Life life = lives.get(name);
      if (life != null && !kind.equals(Optional.of(life.kind()))) {
        end(name);
      }
      kind.filter(_ -> !lives.containsKey(name)).ifPresent(this::begin);
      if (kind.isPresent()) {
        return true;
      }
      complain(stages, "nothing here serves %s; is its CustomResourceDefinition installed?", name);
      return !isDefined(name);
    } catch (ApiException refused) {
      complain(stages, "%s", refused.failure().message());
      return false;
    }
  }

  private void complain(List<ApiObject> stages, String why, String what) {
    stages.forEach(stage -> events.warning(stage, "StageFailed", why.formatted(what)));
  }

  private Optional<ResourceKind> served(String name) {
    int slash = name.lastIndexOf('/');
    return cluster.kind(name.substring(0, slash), name.substring(slash + 1));
  }

  /** A server needs some time after a definition is created before it serves the kind. */
  private boolean isDefined(String name) {
    return cluster.list(Kinds.CUSTOM_RESOURCE_DEFINITION).stream()
        .map(ApiObject::spec)
        .anyMatch(spec ->
            name.startsWith(spec.text("group") + "/")
                && name.endsWith("/" + spec.text("names", "kind")));
  }

  private void begin(ResourceKind kind) {
    var loop =
        new StageLoop(
            cluster,
            new StageCatalog(cluster, kind, functions, List.of(), events),
            events,
            _ -> true);
    Subscription watch =
        cluster.watch(
            kind,
            event -> {
              loop.changed(event.object().key(kind));
              wake.accept(all(kind));
            });
    lives.put(kind.toString(), new Life(kind, loop, watch));
    if (stopped) {
      end(kind.toString());
    }
  }

  private void end(String name) {
    Life life = lives.remove(name);
    if (life != null) {
      life.watch().close();
    }
  }
}
