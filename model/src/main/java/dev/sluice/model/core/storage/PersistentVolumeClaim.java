package dev.sluice.model.core.storage;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A PersistentVolumeClaim. */
public record PersistentVolumeClaim(ApiObject object) {
  /** The finalizer that protects a claim while a pod uses it. */
  public static final String PROTECTION = "kubernetes.io/pvc-protection";

  /** The annotation of a claim that is bound to its volume. */
  public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

  /** The annotation of a claim or a volume that the controller bound, rather than its creator. */
  public static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  /** The annotation with the node of the claim's first pod, for the provisioner. */
  public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
  private static final String ONE_POD = "ReadWriteOncePod";
  private static final String LOST = "Lost";

  public ObjectKey key() {
    return object.key(Kinds.PERSISTENT_VOLUME_CLAIM);
  }

  public String name() {
    return object.name();
  }

  /** The volume that it is bound to or requests; empty for any. */
  public String volumeName() {
    return object.spec().text("volumeName");
  }

  /** The storage class; empty for volumes without a class. */
  public String storageClassName() {
    String old = object.annotation(CLASS_ANNOTATION);
    return old.isEmpty() ? object.spec().text("storageClassName") : old;
  }

  /** Whether it names a class, even the empty one. */
  public boolean namesClass() {
    return object.spec().has("storageClassName") || !object.annotation(CLASS_ANNOTATION).isEmpty();
  }

  public String volumeMode() {
    return mode(object.spec());
  }

  static String mode(Tree spec) {
    String mode = spec.text("volumeMode");
    return mode.isEmpty() ? "Filesystem" : mode;
  }

  public String attributesClass() {
    return object.spec().text("volumeAttributesClassName");
  }

  public List<String> accessModes() {
    return object.spec().textItems("accessModes");
  }

  /** Whether only one pod may use it: ReadWriteOncePod. */
  public boolean isForOnePod() {
    return accessModes().contains(ONE_POD);
  }

  public Quantity size() {
    return Quantity.parse(object.spec().text("resources", "requests", "storage"))
        .orElse(Quantity.ZERO);
  }

  /** Whether its selector matches a volume with these labels. */
  public boolean selects(Map<String, String> labels) {
    return !object.spec().has("selector")
        || new LabelSelector(object.spec().tree("selector")).matches(labels);
  }

  /** Whether it is bound to its volume. */
  public boolean isBound() {
    return !volumeName().isEmpty()
        && object.tree().at("metadata", "annotations") instanceof Tree all
        && all.has(BIND_COMPLETED);
  }

  public boolean isLost() {
    return object.status().text("phase").equals(LOST);
  }

  public String selectedNode() {
    return object.annotation(SELECTED_NODE);
  }

  /** The pod that owns it, if it is ephemeral. */
  public Optional<String> owningPod() {
    return object
        .controller()
        .filter(owner -> owner.kind().equals(Kinds.POD.kind()) && owner.group().isEmpty())
        .map(owner -> owner.uid());
  }

  public PersistentVolumeClaim withSelectedNode(String node) {
    return new PersistentVolumeClaim(object.withAnnotation(SELECTED_NODE, node));
  }

  public PersistentVolumeClaim withStorageClass(String name) {
    return new PersistentVolumeClaim(object.with(List.of("spec", "storageClassName"), name));
  }

  /** With a volume, and with the annotation bound-by-controller if it named none. */
  public PersistentVolumeClaim withVolume(String volume) {
    ApiObject named =
        volumeName().isEmpty()
            ? object
                .with(List.of("spec", "volumeName"), volume)
                .withAnnotation(BOUND_BY_CONTROLLER, "yes")
            : object;
    return new PersistentVolumeClaim(named.withAnnotation(BIND_COMPLETED, "yes"));
  }

  /** The status of a claim that is bound to this volume. */
  public Tree statusWith(PersistentVolume volume) {
    Tree spec = volume.object().spec();
    return object
        .status()
        .with("phase", "Bound")
        .with("accessModes", spec.at("accessModes"))
        .with("capacity", spec.at("capacity"));
  }

  /** The status of a claim whose volume was lost. */
  public Tree lostStatus() {
    return object.status().with("phase", LOST).without("accessModes").without("capacity");
  }
}
