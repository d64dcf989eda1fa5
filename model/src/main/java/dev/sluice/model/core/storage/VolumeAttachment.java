package dev.sluice.model.core.storage;

import dev.sluice.model.ApiObject;

/** A VolumeAttachment of a volume to a node. */
public record VolumeAttachment(ApiObject object) {

  public String nodeName() {
    return object.spec().text("nodeName");
  }

  /** The volume's name; empty if its spec is inline. */
  public String volumeName() {
    return object.spec().text("source", "persistentVolumeName");
  }
}
