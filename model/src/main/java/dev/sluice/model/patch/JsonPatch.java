package dev.sluice.model.patch;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Value.Decimal;
import dev.sluice.model.tree.Value.Null;
import dev.sluice.model.tree.Value.Text;
import dev.sluice.model.tree.Value.Whole;
import java.math.BigDecimal;
import java.util.List;

/**
 * JSON Patch (RFC 6902), with two extensions of Kubernetes: replacing a missing member adds it, and
 * testing that a missing member is null succeeds.
 *
 * <p>All operations succeed or none does. The number of operations is limited, and {@link Growth}
 * limits what they add to the document.
 */
public final class JsonPatch {
  private static final int MAX_OPERATIONS = 10_000;

  private final Growth growth = new Growth();

  private JsonPatch() {}

  /** The tree after the patch; the same instance if the patch changes nothing. */
  public static Tree apply(Tree target, Value patch) {
    if (!(patch instanceof Items(List<Value> operations))) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST, "a JSON patch is an array of operations, but this one is " + patch);
    }
    if (operations.size() > MAX_OPERATIONS) {
      throw ApiFailure.because(
          Reason.REQUEST_ENTITY_TOO_LARGE,
          "the patch has %d operations, at most %d are taken; send it in parts"
              .formatted(operations.size(), MAX_OPERATIONS));
    }
    var application = new JsonPatch();
    Value document = target;
    for (Value operation : operations) {
      document = application.apply(document, operation.asTree());
    }
    if (document instanceof Tree tree) {
      return tree;
    }
    throw invalid("the patch would leave " + document + " in place of the object");
  }

  private Value apply(Value document, Tree operation) {
    Pointer path = pointer(operation, "path");
    return switch (operation.text("op")) {
      case "add" -> add(document, path, value(operation));
      case "remove" -> path.remove(document);
      case "replace" -> path.replace(document, growth.admit(path, value(operation)));
      case "move" -> move(document, pointer(operation, "from"), path);
      case "copy" -> add(document, path, pointer(operation, "from").read(document));
      case "test" -> test(document, path, value(operation));
      default ->
          throw invalid(
              "operation " + operation + " needs an op: add, remove, replace, move, copy or test");
    };
  }

  private Value add(Value document, Pointer path, Value value) {
    return path.add(document, growth.admit(path, value));
  }

  private Value move(Value document, Pointer from, Pointer path) {
    if (from.equals(path)) {
      from.read(document);
      return document;
    }
    if (from.contains(path)) {
      throw invalid("\"" + from + "\" cannot move into itself, to \"" + path + "\"");
    }
    Value moved = from.read(document);
    return add(from.remove(document), path, moved);
  }

  private static Value test(Value document, Pointer path, Value expected) {
    Value found = path.find(document).orElse(Null.NULL);
    if (!same(found, expected)) {
      throw invalid("test of \"%s\" found %s, not %s".formatted(path, found, expected));
    }
    return document;
  }

  private static boolean same(Value left, Value right) {
    if (left instanceof Tree one && right instanceof Tree other) {
      return one.names().equals(other.names())
          && one.names().stream().allMatch(name -> same(one.at(name), other.at(name)));
    }
    if (left instanceof Items(List<Value> one) && right instanceof Items(List<Value> other)) {
      boolean same = one.size() == other.size();
      for (int i = 0; same && i < one.size(); i++) {
        same = same(one.get(i), other.get(i));
      }
      return same;
    }
    return left.equals(right) || sameNumber(left, right);
  }

  /** RFC 6902 compares numbers by value, so 1 equals 1.0. */
  private static boolean sameNumber(Value left, Value right) {
    return switch (left) {
      case Whole(long one) when right instanceof Decimal(BigDecimal other) ->
          BigDecimal.valueOf(one).compareTo(other) == 0;
      case Decimal(BigDecimal one) when right instanceof Decimal(BigDecimal other) ->
          one.compareTo(other) == 0;
      case Decimal(BigDecimal one) when right instanceof Whole(long other) ->
          one.compareTo(BigDecimal.valueOf(other)) == 0;
      case Value ignored -> false;
    };
  }

  private static Pointer pointer(Tree operation, String member) {
    if (operation.at(member) instanceof Text(String text)) {
      return Pointer.parse(text);
    }
    throw invalid("operation " + operation + " needs a JSON pointer as its " + member);
  }

  private static Value value(Tree operation) {
    if (!operation.has("value")) {
      throw invalid("operation " + operation + " needs a value");
    }
    return operation.at("value");
  }

  static ApiException invalid(String why) {
    return ApiFailure.because(Reason.INVALID, "the JSON patch cannot be applied: " + why);
  }
}
