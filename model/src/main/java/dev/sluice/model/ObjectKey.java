package dev.sluice.model;

import java.util.Comparator;

/** Where an object lives. The order is that of lists: by kind, then namespace, then name. */
public record ObjectKey(ResourceKind kind, String namespace, String name)
    implements Comparable<ObjectKey> {
  private static final Comparator<ObjectKey> ORDER =
      Comparator.comparing((ObjectKey key) -> key.kind().group())
          .thenComparing(key -> key.kind().plural())
          .thenComparing(ObjectKey::namespace)
          .thenComparing(ObjectKey::name);

  @Override
  public int compareTo(ObjectKey other) {
    return ORDER.compare(this, other);
  }

  /** {@code namespace/name}, or the name alone for a cluster-scoped object. */
  public String path() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  @Override
  public String toString() {
    return kind.qualifiedPlural() + " " + path();
  }
}
