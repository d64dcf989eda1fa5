package dev.sluice.model.core.storage;

import dev.sluice.model.ApiObject;

/** That a volume is attached to a node, or shall be. */
public record VolumeAttachment(ApiObject object) {

  public String nodeName() {
    return object.spec().text("nodeName");
  }

  /** The volume's name; empty if the pod itself describes the volume. */
  public String volumeName() {
    return object.spec().text("source", "persistentVolumeName");
  }
}
