package dev.sluice.controllers.nodes.local;

import dev.sluice.model.core.pod.ContainerState.Waiting;

/** An error because something that a container needs is missing; the message says what. */
final class MissingException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The reason of a container that waits for a volume, or that was not reconciled yet. */
  static final String CREATING = "ContainerCreating";

  private final boolean ofVolume;

  MissingException(String message) {
    this(message, false);
  }

  private MissingException(String message, boolean ofVolume) {
    super(message);
    this.ofVolume = ofVolume;
  }

  /** The same for a volume that cannot be filled. */
  MissingException ofVolume(String name) {
    return new MissingException(
        "MountVolume.SetUp failed for volume \"%s\" : %s".formatted(name, words()), true);
  }

  String words() {
    return String.valueOf(getMessage());
  }

  /** The waiting state of a container that needs it. */
  Waiting waiting() {
    return ofVolume
        ? new Waiting(CREATING, words())
        : new Waiting("CreateContainerConfigError", words());
  }
}
