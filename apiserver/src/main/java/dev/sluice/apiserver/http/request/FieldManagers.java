package dev.sluice.apiserver.http.request;

import dev.sluice.apiserver.apply.FieldManager;
import dev.sluice.apiserver.apply.FieldManager.Accounts;
import dev.sluice.model.ApiFailure.Cause;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;

/**
 * The field manager of a request: the one that {@code fieldManager} names, or else the client's
 * program.
 */
public final class FieldManagers {
  private static final String PARAMETER = "fieldManager";
  private static final int MAX_BYTES = 128;

  private FieldManagers() {}

  static FieldManager of(ResourceRequest operation) {
    String named = operation.call().query().text(PARAMETER);
    List<Cause> problems = problems(named);
    if (!problems.isEmpty()) {
      throw operation.invalid(problems);
    }
    return named.isEmpty()
        ? new FieldManager(
            program(operation.call().header(HttpHeader.USER_AGENT)), Accounts.IF_KEPT)
        : new FieldManager(named, Accounts.ALWAYS);
  }

  /**
   * Requires a name for an apply, because the manager's fields are removed when a later apply omits
   * them.
   */
  public static void requireNamed(ResourceRequest operation) {
    if (!operation.call().query().has(PARAMETER)) {
      throw operation.invalid(List.of(Cause.required(PARAMETER, "is required for apply patch")));
    }
  }

  private static List<Cause> problems(String name) {
    var problems = new ArrayList<Cause>();
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      problems.add(
          new Cause(
              "FieldValueTooLong",
              PARAMETER,
              "Too long: may not be more than %d bytes".formatted(MAX_BYTES)));
    }
    if (!name.codePoints().allMatch(FieldManagers::isPrintable)) {
      problems.add(Cause.invalid(PARAMETER, name, "should only contain printable characters"));
    }
    return problems;
  }

  /** The first word of a User-Agent. */
  private static String program(String agent) {
    int slash = agent.indexOf('/');
    var name = new StringBuilder();
    int bytes = 0;
    for (int character :
        agent.substring(0, slash < 0 ? agent.length() : slash).codePoints().toArray()) {
      bytes += Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
      if (isPrintable(character) && bytes <= MAX_BYTES) {
        name.appendCodePoint(character);
      }
    }
    return name.isEmpty() ? "unknown" : name.toString();
  }

  private static boolean isPrintable(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> character == ' ' || !Character.isSpaceChar(character);
    };
  }
}
