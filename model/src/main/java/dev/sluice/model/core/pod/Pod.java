package dev.sluice.model.core.pod;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A pod. */
public record Pod(ApiObject object) {

  /** The phase of a pod. */
  public enum Phase {
    PENDING("Pending"),
    RUNNING("Running"),
    SUCCEEDED("Succeeded"),
    FAILED("Failed"),
    UNKNOWN("Unknown");

    private final String word;

    Phase(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }

    /** The phase with a name; a pod without a phase is pending. */
    static Phase of(String word) {
      for (Phase phase : values()) {
        if (phase.word.equals(word)) {
          return phase;
        }
      }
      return word.isEmpty() ? PENDING : UNKNOWN;
    }
  }

  public ObjectKey key() {
    return object.key(Kinds.POD);
  }

  public String name() {
    return object.name();
  }

  public String namespace() {
    return object.namespace();
  }

  public String uid() {
    return object.uid();
  }

  public PodSpec spec() {
    return new PodSpec(object.spec());
  }

  /**
   * The spec with the requests that count on its node, which may still be resizing the containers.
   */
  public PodSpec specOnNode() {
    return isBound() ? Resizing.counted(this) : spec();
  }

  public PodStatus status() {
    return new PodStatus(object.status());
  }

  public String nodeName() {
    return spec().nodeName();
  }

  public boolean isBound() {
    return !nodeName().isEmpty();
  }

  public Phase phase() {
    return status().phase();
  }

  /** Whether it has ended, well or not. */
  public boolean isTerminal() {
    Phase phase = phase();
    return phase == Phase.SUCCEEDED || phase == Phase.FAILED;
  }

  public boolean isDeleting() {
    return object.isDeleting();
  }

  /** Whether it has neither ended nor been deleted. */
  public boolean isActive() {
    return !isDeleting() && !isTerminal();
  }

  /** Whether it has been deleted and not ended yet. */
  public boolean isTerminating() {
    return isDeleting() && !isTerminal();
  }

  public boolean isReady() {
    return status().holds(PodStatus.READY);
  }

  /** The grace period of its deletion, if it is being deleted. */
  public OptionalLong graceSeconds() {
    return object.metadata().whole("deletionGracePeriodSeconds");
  }

  /** Whether only finalizers keep it: it has ended, and its grace period is over. */
  public boolean isHeld() {
    return isDeleting() && isTerminal() && graceSeconds().orElse(0) == 0;
  }

  /**
   * The time at which it ended: that of its last container; failing that the time at which it
   * stopped being ready, was deleted, or was created.
   */
  public Instant ended() {
    PodStatus status = status();
    return status
        .lastContainerEnd(spec())
        .or(status::notReadySince)
        .or(this::deletionAsked)
        .or(object::created)
        .orElse(Instant.EPOCH);
  }

  private Optional<Instant> deletionAsked() {
    return object.deleted().map(end -> end.minus(Duration.ofSeconds(graceSeconds().orElse(0))));
  }

  /** The pod with another status: see {@link PodStatus}. */
  public Pod withStatus(PodStatus status) {
    return new Pod(object.withStatus(status.tree()));
  }

  public Pod withNodeName(String nodeName) {
    return new Pod(object.with(List.of("spec", "nodeName"), nodeName));
  }
}
