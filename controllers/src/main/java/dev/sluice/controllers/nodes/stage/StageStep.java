package dev.sluice.controllers.nodes.stage;

import dev.sluice.controllers.nodes.template.Template;
import java.util.List;

/** One step of a stage. */
public sealed interface StageStep {

  /** The type of a patch. */
  enum PatchType {
    JSON("json"),
    MERGE("merge"),
    STRATEGIC("strategic");

    private final String word;

    PatchType(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /**
   * Patches the object.
   *
   * @param subresource such as {@code status}; empty for the main resource
   * @param root the field that the template renders; empty for the whole object
   * @param user the user to impersonate; empty for none
   */
  record Patch(String subresource, String root, Template template, PatchType type, String user)
      implements StageStep {}

  /** The ways of writing an object that a template renders as a whole. */
  enum ApplyType {
    /** Server-side apply, which creates the object if it is missing and tracks the fields. */
    APPLY("apply"),
    MERGE("merge"),
    STRATEGIC("strategic");

    private final String word;

    ApplyType(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /**
   * Writes an object that may be another one, of any kind.
   *
   * @param subresource such as {@code status}; empty for the main resource
   * @param user the user to impersonate; empty for none
   */
  record Apply(String subresource, Template template, ApplyType type, String user)
      implements StageStep {}

  /** Records an event. */
  record Announce(boolean warning, String reason, Template message) implements StageStep {}

  /** Changes the finalizers of the object. */
  record Finalizers(List<String> add, List<String> remove, boolean empty) implements StageStep {
    public Finalizers {
      add = List.copyOf(add);
      remove = List.copyOf(remove);
    }
  }

  /** Deletes the object without a grace period. */
  record Delete() implements StageStep {}
}
