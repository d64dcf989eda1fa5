package dev.sluice.cli;

import dev.sluice.controllers.configuration.file.Suggestion;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The kind and name of what is explained, in the words that kubectl takes. */
record ExplainedName(Kind kind, String name) {

  /** What can be explained. */
  enum Kind {
    JOB("j"),
    WORKLOAD("wl"),
    POD("po");

    private final String shortName;

    Kind(String shortName) {
      this.shortName = shortName;
    }

    ResourceKind resource() {
      return switch (this) {
        case JOB -> Kinds.JOB;
        case WORKLOAD -> Kinds.WORKLOAD;
        case POD -> Kinds.POD;
      };
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The singular, the plural and the short name. */
    private List<String> words() {
      return List.of(word(), resource().plural(), shortName);
    }
  }

  /**
   * Reads {@code job NAME} or {@code job/NAME}; a kind may be plural, capitalized, short, or
   * followed by its group.
   */
  static ExplainedName parse(List<String> words) {
    List<String> parts =
        words.size() == 1 ? List.of(words.getFirst().split("/", 2)) : List.copyOf(words);
    if (parts.size() != 2 || parts.getLast().isEmpty() || parts.getFirst().contains("/")) {
      throw UserError.usage(
          "%s names nothing to explain: write 'job NAME', 'workload NAME' or 'pod NAME'"
              .formatted(String.join(" ", words)));
    }
    return new ExplainedName(kind(parts.getFirst()), parts.getLast());
  }

  private static Kind kind(String text) {
    String word = text.toLowerCase(Locale.ROOT);
    var known = new ArrayList<String>();
    for (Kind kind : Kind.values()) {
      known.add(kind.word());
      for (String name : kind.words()) {
        if (word.equals(name) || isQualified(word, name, kind.resource())) {
          return kind;
        }
      }
    }
    String hint = Suggestion.of(word, known);
    throw UserError.usage(
        "%s cannot be explained%s"
            .formatted(text, hint.isEmpty() ? "; give a job, a workload or a pod" : hint));
  }

  /** Such as {@code jobs.batch} or {@code jobs.v1.batch}. */
  private static boolean isQualified(String word, String name, ResourceKind kind) {
    return !kind.group().isEmpty()
        && (word.equals(name + "." + kind.group())
            || word.equals(name + "." + kind.version() + "." + kind.group()));
  }
}
