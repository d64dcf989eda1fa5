package dev.sluice.model.core.storage;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.Quantity;
import dev.sluice.model.core.node.NodeAffinity;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;

/** A PersistentVolume, and the claim it is bound to or reserved for. */
public record PersistentVolume(ApiObject object) {
  /** The finalizer that protects a volume while it is bound. */
  public static final String PROTECTION = "kubernetes.io/pv-protection";

  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
  private static final List<String> CLAIM = List.of("spec", "claimRef");

  /** The phase of a volume. */
  public enum Phase {
    PENDING("Pending"),
    AVAILABLE("Available"),
    BOUND("Bound"),
    RELEASED("Released"),
    FAILED("Failed");

    private final String word;

    Phase(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  public ObjectKey key() {
    return object.key(Kinds.PERSISTENT_VOLUME);
  }

  public String name() {
    return object.name();
  }

  public boolean is(Phase phase) {
    return object.status().text("phase").equals(phase.word());
  }

  public Quantity size() {
    return Quantity.parse(object.spec().text("capacity", "storage")).orElse(Quantity.ZERO);
  }

  public String storageClassName() {
    String old = object.annotation(CLASS_ANNOTATION);
    return old.isEmpty() ? object.spec().text("storageClassName") : old;
  }

  public String volumeMode() {
    return PersistentVolumeClaim.mode(object.spec());
  }

  public String attributesClass() {
    return object.spec().text("volumeAttributesClassName");
  }

  public List<String> accessModes() {
    return object.spec().textItems("accessModes");
  }

  public Map<String, String> labels() {
    return object.labels();
  }

  /** Whether it has a claim reference. */
  public boolean isClaimed() {
    return object.spec().has("claimRef");
  }

  /** Whether its claim reference is this claim: by name, and by uid if it has one. */
  public boolean isFor(PersistentVolumeClaim claim) {
    Tree reference = object.spec().tree("claimRef");
    String uid = reference.text("uid");
    return isClaimed()
        && claimKey().equals(claim.key())
        && (uid.isEmpty() || uid.equals(claim.object().uid()));
  }

  /** The claim of its reference. */
  public ObjectKey claimKey() {
    Tree reference = object.spec().tree("claimRef");
    return Kinds.PERSISTENT_VOLUME_CLAIM.key(reference.text("namespace"), reference.text("name"));
  }

  /** The uid of that claim; empty if the volume is reserved for a name only. */
  public String claimUid() {
    return object.spec().text("claimRef", "uid");
  }

  /** Whether a node with these labels can reach it. */
  public boolean reachableFrom(String nodeName, Map<String, String> labels) {
    Tree required = object.spec().tree("nodeAffinity", "required");
    return required.isEmpty() || NodeAffinity.ofRequired(required).matches(nodeName, labels);
  }

  /** The CSI driver that attaches it to nodes; empty if it needs none. */
  public String driver() {
    return object.spec().text("csi", "driver");
  }

  /** The volume handle of its driver. */
  public String handle() {
    return object.spec().text("csi", "volumeHandle");
  }

  /** The reclaim policy: {@code Retain}, {@code Delete} or {@code Recycle}. */
  public String reclaimPolicy() {
    return object.spec().text("persistentVolumeReclaimPolicy");
  }

  /** Whether an external provisioner created it, which also deletes it. */
  public boolean isProvisioned() {
    return !object.annotation("pv.kubernetes.io/provisioned-by").isEmpty();
  }

  /** Bound to this claim, with the annotation bound-by-controller if it had no claim reference. */
  public PersistentVolume keptFor(PersistentVolumeClaim claim) {
    ApiObject marked =
        isClaimed()
            ? object
            : object.withAnnotation(PersistentVolumeClaim.BOUND_BY_CONTROLLER, "yes");
    return new PersistentVolume(
        marked.with(
            CLAIM,
            Tree.of(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolumeClaim",
                "namespace",
                claim.object().namespace(),
                "name",
                claim.name(),
                "uid",
                claim.object().uid(),
                "resourceVersion",
                claim.object().resourceVersion())));
  }

  /** The status with a phase and a message. */
  public Tree statusIn(Phase phase, String message) {
    Tree status = object.status().with("phase", phase.word());
    return message.isEmpty() ? status.without("message") : status.with("message", message);
  }
}
