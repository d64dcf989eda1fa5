package dev.sluice.apiserver.http.selector;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A field selector: the objects of one kind whose fields have, or do not have, certain values. */
public record FieldSelector(SelectableFields fields, List<Requirement> requirements) {

  /** The value that a field must, or must not, have. */
  record Requirement(String field, boolean equal, String value) {}

  public FieldSelector {
    requirements = List.copyOf(requirements);
  }

  /** Parses a selector; one that is malformed or names an unsupported field is a bad request. */
  public static FieldSelector parse(String text, SelectableFields fields) {
    var requirements = new ArrayList<Requirement>();
    for (String part : split(text)) {
      Requirement requirement = requirement(part, text);
      fields.check(requirement.field());
      requirements.add(requirement);
    }
    return new FieldSelector(fields, requirements);
  }

  public boolean isEmpty() {
    return requirements.isEmpty();
  }

  public boolean matches(ApiObject object) {
    return requirements.stream()
        .allMatch(
            wanted -> fields.read(object, wanted.field()).equals(wanted.value()) == wanted.equal());
  }

  /** The only name that can match, if there is just one. */
  public Optional<String> name() {
    return requirements.stream()
        .filter(wanted -> wanted.equal() && wanted.field().equals("metadata.name"))
        .map(Requirement::value)
        .findFirst();
  }

  private static List<String> split(String text) {
    var parts = new ArrayList<String>();
    var part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        part.append(c).append(text.charAt(++i));
      } else if (c == ',') {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    parts.add(part.toString());
    return parts.stream().filter(found -> !found.isBlank()).toList();
  }

  private static Requirement requirement(String part, String whole) {
    int different = part.indexOf("!=");
    int equal = part.indexOf('=');
    if (equal < 1) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST,
          "unable to parse the field selector \"%s\": \"%s\" must be field=value or field!=value"
              .formatted(whole, part));
    }
    boolean negated = different >= 0 && different + 1 == equal;
    String field = part.substring(0, negated ? different : equal).strip();
    String value = part.substring(equal + 1);
    value = !negated && value.startsWith("=") ? value.substring(1) : value;
    return new Requirement(field, !negated, unescaped(value));
  }

  private static String unescaped(String value) {
    var plain = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      boolean escape = value.charAt(i) == '\\' && i + 1 < value.length();
      plain.append(value.charAt(escape ? ++i : i));
    }
    return plain.toString();
  }
}
