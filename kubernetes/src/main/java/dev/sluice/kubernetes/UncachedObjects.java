package dev.sluice.kubernetes;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes objects without watching their kind. For the few that the manager itself lives
 * by, such as its lease and its certificates: it knows them by name, and needs no right to read
 * others of their kind. And for commands, which read once and end.
 *
 * <p>Threads: safe.
 */
public final class UncachedObjects {
  private static final int PAGE = 500;

  private final ApiCalls calls;

  UncachedObjects(ApiCalls calls) {
    this.calls = calls;
  }

  public Optional<ApiObject> get(ObjectKey key) {
    try {
      return Optional.of(TreeConversion.object(calls.get(ApiCalls.object(key))));
    } catch (ApiException refused) {
      if (refused.is(ApiFailure.Reason.NOT_FOUND)) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  /** The objects of a kind in a namespace, or in all if the key names none, that have a label. */
  public List<ApiObject> labelled(ObjectKey any, String label, String value) {
    return selected(any, "labelSelector", label + "=" + value);
  }

  /** The same by a selector of fields, such as {@code involvedObject.uid=1}. */
  public List<ApiObject> withFields(ObjectKey any, String selector) {
    return selected(any, "fieldSelector", selector);
  }

  private List<ApiObject> selected(ObjectKey any, String parameter, String selector) {
    return list(any, "&" + parameter + "=" + ApiCalls.encoded(selector));
  }

  /** All objects of a kind in a namespace, or in all if the key names none, read page by page. */
  public List<ApiObject> list(ObjectKey any) {
    return list(any, "");
  }

  private List<ApiObject> list(ObjectKey any, String selection) {
    var objects = new ArrayList<ApiObject>();
    String next = "";
    do {
      String page = next.isEmpty() ? "" : "&continue=" + ApiCalls.encoded(next);
      Tree list = calls.get(ApiCalls.collection(any) + "?limit=" + PAGE + selection + page);
      // The items of a list say neither their kind nor their version.
      list.trees("items")
          .forEach(item ->
              objects.add(
                  TreeConversion.object(
                      item.with("apiVersion", any.kind().apiVersion())
                          .with("kind", any.kind().kind()))));
      next = list.text("metadata", "continue");
    } while (!next.isEmpty());
    return objects;
  }

  /**
   * Reads something below an object.
   *
   * @param query what comes behind the question mark, encoded
   */
  public Tree read(ObjectKey key, String subresource, String query) {
    return calls.get(ApiCalls.subresource(key, subresource) + "?" + query);
  }

  public ApiObject create(ObjectKey key, ApiObject object) {
    return sent("POST", ApiCalls.collection(key), ApiCalls.JSON, object.tree());
  }

  /** Replaces the object, if it is still at its resourceVersion. */
  public ApiObject update(ObjectKey key, ApiObject object) {
    return sent("PUT", ApiCalls.object(key), ApiCalls.JSON, object.tree());
  }

  /** Changes some fields, whatever the others are. */
  public ApiObject merge(ObjectKey key, Tree patch) {
    return sent("PATCH", ApiCalls.object(key), ApiCalls.MERGE_PATCH, patch);
  }

  /** Deletes the object, if it is still the one that was seen. */
  public void delete(ObjectKey key, ApiObject seen) {
    Tree preconditions = Tree.of("uid", seen.uid(), "resourceVersion", seen.resourceVersion());
    Tree options =
        Tree.of("apiVersion", "v1", "kind", "DeleteOptions", "preconditions", preconditions);
    sent("DELETE", ApiCalls.object(key), ApiCalls.JSON, options);
  }

  private ApiObject sent(String method, String path, String type, Tree body) {
    return TreeConversion.object(calls.send(method, path, type, body));
  }
}
