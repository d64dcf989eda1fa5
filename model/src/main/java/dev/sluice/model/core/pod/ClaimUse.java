package dev.sluice.model.core.pod;

import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * The use of a claim by a pod.
 *
 * @param name the name of the claim, or of the pod's volume if the claim is ephemeral
 * @param ownClaim whether the claim is ephemeral: created for this pod, and deleted with it
 */
public record ClaimUse(String name, boolean ownClaim) {

  static List<ClaimUse> of(Tree podSpec) {
    return podSpec.trees("volumes").stream()
        .filter(volume -> volume.has("persistentVolumeClaim") || volume.has("ephemeral"))
        .map(volume ->
            volume.has("ephemeral")
                ? new ClaimUse(volume.text("name"), true)
                : new ClaimUse(volume.text("persistentVolumeClaim", "claimName"), false))
        .toList();
  }

  /** The claim of a pod with this name. */
  public ObjectKey claim(String namespace, String podName) {
    return Kinds.PERSISTENT_VOLUME_CLAIM.key(namespace, ownClaim ? podName + "-" + name : name);
  }
}
