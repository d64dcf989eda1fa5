package dev.sluice.engine.queue;

/** Which workload it is: the uid tells it from a later one of the same name. */
public record WorkloadIdentity(String namespace, String name, String uid) {

  /** {@code namespace/name}. */
  public String path() {
    return namespace + "/" + name;
  }
}
