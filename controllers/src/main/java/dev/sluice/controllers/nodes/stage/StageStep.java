package dev.sluice.controllers.nodes.stage;

import dev.sluice.controllers.nodes.template.Template;
import java.util.List;

/** One thing that a stage does with an object. */
public sealed interface StageStep {

  /** How a patch is to be understood. */
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
   * Changes the object.
   *
   * @param subresource what is changed of it, such as {@code status}; empty for everything but that
   * @param root the field that the template describes; empty for the whole object
   * @param user in whose name it is written; empty for our own
   */
  record Patch(String subresource, String root, Template template, PatchType type, String user)
      implements StageStep {}

  /** How an object is brought about that a template describes as a whole. */
  enum ApplyType {
    /** By the API server, which creates it if need be and remembers which fields are ours. */
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
   * Brings about an object that may be another one, of any kind.
   *
   * @param subresource what is changed of it; empty for everything but that
   * @param user in whose name it is written; empty for our own
   */
  record Apply(String subresource, Template template, ApplyType type, String user)
      implements StageStep {}

  /** Tells users of it. */
  record Announce(boolean warning, String reason, Template message) implements StageStep {}

  /** Changes who must agree before the object goes. */
  record Finalizers(List<String> add, List<String> remove, boolean empty) implements StageStep {
    public Finalizers {
      add = List.copyOf(add);
      remove = List.copyOf(remove);
    }
  }

  /** Deletes the object without any grace. */
  record Delete() implements StageStep {}
}
