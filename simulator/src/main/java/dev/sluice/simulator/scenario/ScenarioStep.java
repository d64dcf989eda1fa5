package dev.sluice.simulator.scenario;

import dev.sluice.model.ApiObject;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.MalformedText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One step of a scenario: a document of its file.
 *
 * <p>Two annotations of the document make it more than an object that is there from the start:
 * {@code sluice.dev/at} says when it happens, as time since the start such as {@code 1m30s}, and
 * {@code sluice.dev/do} what: {@code create}, {@code update}, which changes the fields that the
 * document has, {@code delete}, or {@code restore}, which begins with an object of a snapshot as it
 * was at the time {@code sluice.dev/taken}. A Workload without a name is the one of the Job that
 * {@code sluice.dev/of} names.
 *
 * @param object without these annotations, but for {@code sluice.dev/of}
 */
public record ScenarioStep(Duration at, Deed deed, ApiObject object) {
  public static final String AT = "sluice.dev/at";
  public static final String DO = "sluice.dev/do";
  public static final String OF = "sluice.dev/of";

  /** When an object that is restored was taken. */
  public static final String TAKEN = "sluice.dev/taken";

  /** The kinds of steps. */
  public enum Deed {
    CREATE,
    UPDATE,
    DELETE,
    RESTORE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Reads a document. */
  static ScenarioStep of(ApiObject document) {
    return new ScenarioStep(
        moment(document), deed(document), document.without(annotation(AT)).without(annotation(DO)));
  }

  private static List<String> annotation(String name) {
    return List.of("metadata", "annotations", name);
  }

  private static Duration moment(ApiObject document) {
    String text = document.annotation(AT);
    if (text.isEmpty()) {
      return Duration.ZERO;
    }
    return GoDuration.parse(text)
        .orElseThrow(() ->
            new MalformedText(
                "%s %s: annotation %s is \"%s\", which is no time; write it like 90s or 1m30s"
                    .formatted(document.kind(), document.name(), AT, text)));
  }

  private static Deed deed(ApiObject document) {
    String word = document.annotation(DO);
    for (Deed deed : Deed.values()) {
      if (deed.word().equals(word)) {
        return deed;
      }
    }
    if (word.isEmpty()) {
      return Deed.CREATE;
    }
    throw new MalformedText(
        "%s %s: annotation %s is \"%s\"; it must be create, update, delete or restore"
            .formatted(document.kind(), document.name(), DO, word));
  }

  /** The same step with another object. */
  public ScenarioStep with(ApiObject other) {
    return new ScenarioStep(at, deed, other);
  }

  /** The same step with another deed. */
  public ScenarioStep doing(Deed other) {
    return new ScenarioStep(at, other, object);
  }

  /** When the object of a restore was taken; empty for any other step. */
  public Optional<Instant> taken() {
    return deed == Deed.RESTORE ? Timestamps.parse(object.annotation(TAKEN)) : Optional.empty();
  }

  /** The document that reads as this step. */
  public ApiObject document() {
    ApiObject document = object;
    if (!at.isZero()) {
      document = document.withAnnotation(AT, at.toMillis() + "ms");
    }
    return deed == Deed.CREATE ? document : document.withAnnotation(DO, deed.word());
  }

  @Override
  public String toString() {
    return "%s %s %s at %s"
        .formatted(deed.word(), object.kind(), object.name(), GoDuration.format(at));
  }
}
