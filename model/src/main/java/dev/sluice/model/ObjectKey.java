package dev.sluice.model;

/**
 * The kind, namespace and name of an object. The order is that of lists: by kind, then namespace,
 * then name.
 */
public record ObjectKey(ResourceKind kind, String namespace, String name)
    implements Comparable<ObjectKey> {
  @Override
  public int compareTo(ObjectKey other) {
    int order = kind.group().compareTo(other.kind.group());
    order = order == 0 ? kind.plural().compareTo(other.kind.plural()) : order;
    order = order == 0 ? namespace.compareTo(other.namespace) : order;
    return order == 0 ? name.compareTo(other.name) : order;
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
