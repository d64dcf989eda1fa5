package dev.sluice.model.core.storage;

import dev.sluice.model.ApiObject;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.Quantity;
import java.util.Map;
import java.util.Optional;

/** A CSIStorageCapacity: the storage of a class that is left for some nodes. */
public record CsiStorageCapacity(ApiObject object) {

  public String storageClassName() {
    return object.tree().text("storageClassName");
  }

  /** Whether a volume of this size can be provisioned. */
  public boolean has(Quantity size) {
    Optional<Quantity> most =
        Quantity.parse(object.tree().text("maximumVolumeSize"))
            .or(() -> Quantity.parse(object.tree().text("capacity")));
    return most.isPresent() && most.get().compareTo(size) >= 0;
  }

  /** Whether it covers a node with these labels; without a topology it covers none. */
  public boolean reaches(Map<String, String> labels) {
    return object.tree().has("nodeTopology")
        && new LabelSelector(object.tree().tree("nodeTopology")).matches(labels);
  }
}
