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

/** The wish for a volume of some size, and the volume it got. */
public record PersistentVolumeClaim(ApiObject object) {
  /** Keeps a claim until no pod needs it any more. */
  public static final String PROTECTION = "kubernetes.io/pvc-protection";

  /** Says that the claim and its volume know of each other. */
  public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

  /** On claim or volume: that they belong together was not their writers' wish. */
  public static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  /** The node of the pod that needs the claim first, for whoever makes the volume. */
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

  /** The volume it has, or asks for by name; empty if any will do. */
  public String volumeName() {
    return object.spec().text("volumeName");
  }

  /** The class of storage it wants; empty if volumes of no class. */
  public String storageClassName() {
    String old = object.annotation(CLASS_ANNOTATION);
    return old.isEmpty() ? object.spec().text("storageClassName") : old;
  }

  /** Whether it says anything about its class, be it that it wants none. */
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

  /** Whether only one pod may use it at a time. */
  public boolean isForOnePod() {
    return accessModes().contains(ONE_POD);
  }

  public Quantity size() {
    return Quantity.parse(object.spec().text("resources", "requests", "storage"))
        .orElse(Quantity.ZERO);
  }

  /** Whether it would take a volume with these labels. */
  public boolean selects(Map<String, String> labels) {
    return !object.spec().has("selector")
        || new LabelSelector(object.spec().tree("selector")).matches(labels);
  }

  /** Whether it has a volume that knows of it. */
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

  /** The pod for which it was made, if it lives and ends with one. */
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

  /** With a volume, which was not asked for by name if there was no name. */
  public PersistentVolumeClaim withVolume(String volume) {
    ApiObject named =
        volumeName().isEmpty()
            ? object
                .with(List.of("spec", "volumeName"), volume)
                .withAnnotation(BOUND_BY_CONTROLLER, "yes")
            : object;
    return new PersistentVolumeClaim(named.withAnnotation(BIND_COMPLETED, "yes"));
  }

  /** The status of a claim that has this volume. */
  public Tree statusWith(PersistentVolume volume) {
    Tree spec = volume.object().spec();
    return object
        .status()
        .with("phase", "Bound")
        .with("accessModes", spec.at("accessModes"))
        .with("capacity", spec.at("capacity"));
  }

  /** The status of a claim whose volume is gone. */
  public Tree lostStatus() {
    return object.status().with("phase", LOST).without("accessModes").without("capacity");
  }
}
