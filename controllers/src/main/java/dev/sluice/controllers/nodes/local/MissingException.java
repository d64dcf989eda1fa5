package dev.sluice.controllers.nodes.local;

import dev.sluice.model.core.pod.ContainerState.Waiting;

/** Something that a container needs is not there yet; the message says what. */
final class MissingException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The reason of a container that waits for a volume, or that nobody looked at yet. */
  static final String CREATING = "ContainerCreating";

  private final boolean ofVolume;

  MissingException(String message) {
    this(message, false);
  }

  private MissingException(String message, boolean ofVolume) {
    super(message);
    this.ofVolume = ofVolume;
  }

  /** The same about a volume that cannot be filled. */
  MissingException ofVolume(String name) {
    return new MissingException(
        "MountVolume.SetUp failed for volume \"%s\" : %s".formatted(name, words()), true);
  }

  String words() {
    return String.valueOf(getMessage());
  }

  /** How a container is that waits for it. */
  Waiting waiting() {
    return ofVolume
        ? new Waiting(CREATING, words())
        : new Waiting("CreateContainerConfigError", words());
  }
}
