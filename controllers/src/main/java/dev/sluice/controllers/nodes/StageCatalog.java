package dev.sluice.controllers.nodes;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.nodes.stage.Stage;
import dev.sluice.controllers.nodes.stage.StageReader;
import dev.sluice.controllers.nodes.template.TemplateFunction;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The stages of one kind: the users' own, or the default ones as long as there are none. A stage
 * that is invalid has an event that says so, and is ignored.
 *
 * <p>Threads: none; it belongs to its controller.
 */
final class StageCatalog {
  private final Cluster cluster;
  private final ResourceKind kind;
  private final SortedMap<String, TemplateFunction> functions;
  private final List<Stage> ours;
  private final EventRecorder events;

  /**
   * @param files the resource files of the default stages
   */
  StageCatalog(
      Cluster cluster,
      ResourceKind kind,
      SortedMap<String, TemplateFunction> functions,
      List<String> files,
      EventRecorder events) {
    this.cluster = cluster;
    this.kind = kind;
    this.functions = functions;
    List<ApiObject> documents =
        files.stream().flatMap(file -> OwnYaml.read("/stages/" + file).stream()).toList();
    this.ours = StageReader.readAll(documents, functions);
    this.events = events;
  }

  ResourceKind kind() {
    return kind;
  }

  /** The stages in the order of their names. */
  List<Stage> stages() {
    var given = new ArrayList<Stage>();
    boolean any = false;
    for (ApiObject object : cluster.list(Kinds.STAGE)) {
      if (StageReader.kindOf(object).equals(kind.toString())) {
        any = true;
        read(object).ifPresent(given::add);
      }
    }
    return any ? given : ours;
  }

  private Optional<Stage> read(ApiObject object) {
    StageReader.Read read = StageReader.read(object, functions);
    if (read.problems().isEmpty()) {
      return Optional.of(read.stage());
    }
    var first = read.problems().causes().getFirst();
    events.warning(object, "InvalidStage", first.field() + ": " + first.message());
    return Optional.empty();
  }
}
