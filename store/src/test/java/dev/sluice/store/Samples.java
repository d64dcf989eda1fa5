package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;

/** Kinds and objects for tests. */
final class Samples {
  static final ResourceKind PODS = new ResourceKind("", "v1", "Pod", "pods", true);
  static final ResourceKind NODES = new ResourceKind("", "v1", "Node", "nodes", false);
  static final ResourceKind JOBS = new ResourceKind("batch", "v1", "Job", "jobs", true);
  static final ResourceKind OLD_JOBS = new ResourceKind("batch", "v1beta1", "Job", "jobs", true);
  static final ResourceKind OTHER_JOBS = new ResourceKind("acme.io", "v1", "Job", "jobs", true);

  private Samples() {}

  static ObjectKey pod(String namespace, String name) {
    return PODS.key(namespace, name);
  }

  static ApiObject object(ObjectKey key, String value) {
    return ApiObject.of(key.kind(), key.namespace(), key.name()).withLabel("value", value);
  }

  static String value(ApiObject object) {
    return object.label("value");
  }

  static long revision(ApiObject object) {
    return Long.parseLong(object.resourceVersion());
  }

  /** Creates an object and returns its revision. */
  static long add(Store store, ObjectKey key, String value) {
    return revision(store.put(key, 0, object(key, value)));
  }
}
