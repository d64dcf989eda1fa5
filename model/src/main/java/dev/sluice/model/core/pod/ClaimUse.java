package dev.sluice.model.core.pod;

import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * A pod's need of a claim.
 *
 * @param name of the claim, or of the volume in the pod if the claim is made for it
 * @param ownClaim whether the claim is made for this pod alone, and ends with it
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

  /** The claim that a pod of this name means. */
  public ObjectKey claim(String namespace, String podName) {
    return Kinds.PERSISTENT_VOLUME_CLAIM.key(namespace, ownClaim ? podName + "-" + name : name);
  }
}
