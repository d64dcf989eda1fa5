package dev.sluice.apiserver.http.request;

import dev.sluice.apiserver.http.request.Negotiation.Choice;
import dev.sluice.apiserver.http.table.Tables;
import dev.sluice.apiserver.registry.Registry;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.TimeSource;
import java.util.List;

/** The form in which one client reads the objects of a kind. */
public record Representation(
    Registry registry, ServedKind kind, Choice choice, Tables.Style style, TimeSource time) {

  /** The object in the version of the request: all versions share what is stored. */
  private ApiObject served(ApiObject object) {
    return registry.in(kind.kind(), object);
  }

  public Tree one(ApiObject object) {
    return one(object, true);
  }

  /** One object; a table of it has column definitions only if {@code headed}. */
  public Tree one(ApiObject object, boolean headed) {
    ApiObject served = served(object);
    return switch (choice.form()) {
      case TABLE ->
          Tables.of(
              kind,
              List.of(served),
              Tree.of("resourceVersion", object.resourceVersion()),
              style,
              headed,
              time.now());
      case METADATA -> Tables.metadataOf(served, choice.version());
      case PLAIN, METADATA_LIST, DISCOVERY -> served.tree();
    };
  }

  public Tree list(List<ApiObject> objects, Tree metadata) {
    List<ApiObject> served = objects.stream().map(this::served).toList();
    return switch (choice.form()) {
      case TABLE -> Tables.of(kind, served, metadata, style, true, time.now());
      case METADATA_LIST ->
          list(
              "PartialObjectMetadataList",
              "meta.k8s.io/" + choice.version(),
              metadata,
              served.stream().map(object -> Tables.metadataOf(object, choice.version())).toList());
      case PLAIN, METADATA, DISCOVERY ->
          list(
              kind.kind().kind() + "List",
              kind.kind().apiVersion(),
              metadata,
              served.stream().map(this::item).toList());
    };
  }

  /** An item of a list: in lists of built-in kinds only the list has a kind. */
  private Tree item(ApiObject object) {
    return kind.builtIn() ? object.tree().without("apiVersion").without("kind") : object.tree();
  }

  private static Tree list(String kind, String apiVersion, Tree metadata, List<Tree> items) {
    return Tree.of(
        "kind", kind, "apiVersion", apiVersion, "metadata", metadata, "items", Items.of(items));
  }

  /** The object of a bookmark: only the revision that the watch has reached. */
  public Tree bookmark(long revision, boolean endsInitialEvents) {
    Tree metadata = Tree.of("resourceVersion", Long.toString(revision));
    if (endsInitialEvents) {
      metadata = metadata.with("annotations", Tree.of("k8s.io/initial-events-end", "true"));
    }
    return switch (choice.form()) {
      case TABLE -> Tables.of(kind, List.of(), metadata, style, false, time.now());
      case METADATA ->
          Tables.metadataOf(new ApiObject(Tree.of("metadata", metadata)), choice.version());
      case PLAIN, METADATA_LIST, DISCOVERY ->
          Tree.of(
              "kind",
              kind.kind().kind(),
              "apiVersion",
              kind.kind().apiVersion(),
              "metadata",
              metadata);
    };
  }
}
