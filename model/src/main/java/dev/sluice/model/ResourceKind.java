package dev.sluice.model;

/**
 * A kind of API object in one version, with the data that clients need to address it.
 *
 * @param group the API group, empty for the core one
 * @param plural the lower-case plural in paths
 */
public record ResourceKind(
    String group, String version, String kind, String plural, boolean namespaced) {

  /** The value of {@code apiVersion} in objects of this kind. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** The plural with its group, as error messages and RBAC name it. */
  public String qualifiedPlural() {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /** The kind with its group, as validation messages name it. */
  public String qualifiedKind() {
    return group.isEmpty() ? kind : kind + "." + group;
  }

  public ObjectKey key(String namespace, String name) {
    return new ObjectKey(this, namespaced ? namespace : "", name);
  }

  /** The key of a cluster-scoped object. */
  public ObjectKey key(String name) {
    return key("", name);
  }

  @Override
  public String toString() {
    return apiVersion() + "/" + kind;
  }
}
