package dev.sluice.model.core.storage;

import dev.sluice.model.ApiObject;
import dev.sluice.model.core.node.NodeTerm;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A StorageClass: the provisioner of its volumes, and the time at which claims are bound. */
public record StorageClass(ApiObject object) {
  private static final String IS_DEFAULT = "storageclass.kubernetes.io/is-default-class";
  private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

  /** The default class: of several the newest, and then the first by name. */
  public static Optional<StorageClass> newestDefault(List<ApiObject> classes) {
    return classes.stream()
        .map(StorageClass::new)
        .filter(StorageClass::isDefault)
        .min(
            Comparator.comparing(
                    (StorageClass one) -> one.object.created().orElse(Instant.EPOCH),
                    Comparator.reverseOrder())
                .thenComparing(StorageClass::name));
  }

  public String name() {
    return object.name();
  }

  /** Whether it is a default class. */
  public boolean isDefault() {
    return object.annotation(IS_DEFAULT).equals("true");
  }

  /** Whether claims are bound only when a pod uses them: WaitForFirstConsumer. */
  public boolean waitsForConsumer() {
    return object.tree().text("volumeBindingMode").equals("WaitForFirstConsumer");
  }

  public String provisioner() {
    return object.tree().text("provisioner");
  }

  /** Whether volumes are provisioned dynamically. */
  public boolean provisions() {
    return !provisioner().isEmpty() && !provisioner().equals(NO_PROVISIONER);
  }

  /** Whether volumes can be provisioned for a node with these labels. */
  public boolean allows(Map<String, String> labels) {
    List<NodeTerm> topologies = NodeTerm.topologies(object.tree().trees("allowedTopologies"));
    return topologies.isEmpty() || topologies.stream().anyMatch(term -> term.matches("", labels));
  }
}
