package dev.sluice.apiserver.http.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The target that the path of a request names. */
public sealed interface RequestPath {

  /** A document about the server itself: its version, health, discovery or OpenAPI. */
  record Document(String path) implements RequestPath {}

  /**
   * Objects; segments that the path does not have are empty.
   *
   * @param watched whether it is one of the deprecated paths that begin with {@code watch}
   */
  record Objects(
      String group,
      String version,
      String plural,
      String namespace,
      String name,
      String subresource,
      boolean watched)
      implements RequestPath {}

  static RequestPath parse(String path) {
    List<String> segments =
        Arrays.stream(path.split("/", -1)).filter(segment -> !segment.isEmpty()).toList();
    if (segments.size() > 2 && segments.getFirst().equals("api")) {
      return objects("", segments.get(1), segments.subList(2, segments.size()));
    }
    if (segments.size() > 3 && segments.getFirst().equals("apis")) {
      return objects(segments.get(1), segments.get(2), segments.subList(3, segments.size()));
    }
    return new Document("/" + String.join("/", segments));
  }

  private static Objects objects(String group, String version, List<String> path) {
    boolean watched = path.getFirst().equals("watch") && path.size() > 1;
    List<String> rest = watched ? path.subList(1, path.size()) : path;
    String namespace = "";
    if (rest.getFirst().equals("namespaces") && rest.size() > 2 && !ofNamespace(rest)) {
      namespace = decoded(rest.get(1));
      rest = rest.subList(2, rest.size());
    }
    String name = rest.size() > 1 ? decoded(rest.get(1)) : "";
    String subresource = rest.size() > 2 ? String.join("/", rest.subList(2, rest.size())) : "";
    return new Objects(group, version, rest.getFirst(), namespace, name, subresource, watched);
  }

  /** Whether the third segment is a subresource of the namespace itself, not a kind in it. */
  private static boolean ofNamespace(List<String> path) {
    String third = path.get(2);
    return path.size() == 3 && (third.equals("status") || third.equals("finalize"));
  }

  private static String decoded(String segment) {
    // A plus is literal in a path; only in a query does it mean a space.
    return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
