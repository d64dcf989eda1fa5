package dev.sluice.apiserver.http.discovery;

import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The OpenAPI documents. They are large and change only with the kinds they are about, so each is
 * built on the first request and kept until one of its kinds is replaced. Threads: safe.
 */
public final class OpenApi {

  /** A document with the hash under which clients cache it. */
  public static final class Document {
    private final byte[] json;
    private final String hash;

    private Document(byte[] json) {
      this.json = json;
      this.hash = Hashes.of(json);
    }

    public byte[] json() {
      return json;
    }

    public String hash() {
      return hash;
    }
  }

  private record Kept(List<ServedKind> kinds, Document document) {}

  private final Map<String, Kept> kept = new ConcurrentHashMap<>();

  /** The index of all documents. */
  public Tree root(ApiGroups groups) {
    var paths = new TreeMap<String, Tree>();
    for (ApiGroups.Version version : groups.versions()) {
      String url = "/openapi/v3/%s?hash=%s".formatted(version.path(), document(version).hash());
      paths.put(version.path(), Tree.of("serverRelativeURL", url));
    }
    kept.keySet().retainAll(paths.keySet());
    return Tree.of("paths", Tree.of(paths));
  }

  /** The document at a path such as {@code apis/batch/v1}. */
  public Optional<Document> find(ApiGroups groups, String path) {
    return groups.versions().stream()
        .filter(version -> version.path().equals(path))
        .findFirst()
        .map(this::document);
  }

  private Document document(ApiGroups.Version version) {
    Kept found = kept.get(version.path());
    if (found != null && same(found.kinds(), version.kinds())) {
      return found.document();
    }
    byte[] json = Json.bytes(OpenApiDocument.of(version));
    var made = new Kept(version.kinds(), new Document(json));
    kept.put(version.path(), made);
    return made.document();
  }

  /**
   * Whether the kinds are the same instances: comparing their contents would cost more than
   * building the document again.
   */
  @SuppressWarnings("ReferenceEquality")
  private static boolean same(List<ServedKind> one, List<ServedKind> other) {
    boolean same = one.size() == other.size();
    for (int i = 0; same && i < one.size(); i++) {
      same = one.get(i) == other.get(i);
    }
    return same;
  }
}
