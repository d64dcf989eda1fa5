package dev.sluice.runtime;

import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An API group whose answers are computed when a client reads them; nothing of it is stored. Served
 * beside the stored kinds by the embedded API server, and as an aggregated API on a real cluster.
 *
 * <p>Threads: implementations are safe.
 */
public interface ComputedApi {

  /** The name of the group. */
  String group();

  /** What is below its kinds, one entry for every version of each. */
  List<Part> parts();

  /**
   * Answers a caller that may read it.
   *
   * @throws dev.sluice.model.ApiException if there is no such thing
   */
  Tree read(Request question);

  /**
   * Something that can be read of each object of a kind, or the objects themselves.
   *
   * @param of the kind by which it is found
   * @param name the last segment of the path, such as {@code pendingworkloads}; empty for the
   *     objects themselves, of which also lists can be read
   * @param body the kind of the answer
   */
  record Part(ResourceKind of, String name, ResourceKind body) {

    /** The objects of a kind themselves. */
    public static Part whole(ResourceKind kind) {
      return new Part(kind, "", kind);
    }

    public boolean isWhole() {
      return name.isEmpty();
    }
  }

  /**
   * What is asked for.
   *
   * @param namespace empty if the object lives in none, or for a list of all
   * @param name empty for a list
   * @param query the parameters behind the question mark
   */
  record Request(Part part, String namespace, String name, SortedMap<String, List<String>> query) {
    public Request {
      query = Collections.unmodifiableSortedMap(new TreeMap<>(query));
    }

    /** The first value of a parameter; empty if it is not given. */
    public String parameter(String parameter) {
      return query.getOrDefault(parameter, List.of()).stream().findFirst().orElse("");
    }
  }
}
