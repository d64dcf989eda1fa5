package dev.sluice.apiserver.http.request;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;

/**
 * The check that strings have surrogates only in pairs. An escape can name one alone; such a string
 * has no form in UTF-8, so many clients could not read an object that has it.
 */
final class Surrogates {
  private Surrogates() {}

  /** Refuses a value of which a name or a string has half of a pair; returns it otherwise. */
  static Value requirePairs(Value value) {
    check("", value);
    return value;
  }

  private static void check(String path, Value value) {
    switch (value) {
      case Value.Text(String text) -> checkText(path, text);
      case Items items -> items.values().forEach(item -> check(path + "[]", item));
      case Tree tree ->
          tree.forEach((name, field) -> {
            checkText(path, name);
            check(path.isEmpty() ? name : path + "." + name, field);
          });
      case Value.Whole _, Value.Decimal _, Value.Flag _, Value.Null _ -> {}
    }
  }

  private static void checkText(String path, String text) {
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (Character.isSurrogate(unit)) {
        if (i + 1 == text.length() || !Character.isSurrogatePair(unit, text.charAt(i + 1))) {
          throw ApiFailure.because(
              Reason.BAD_REQUEST,
              "%s: the string has \\u%04x, half of a surrogate pair; send both halves or neither"
                  .formatted(path, (int) unit));
        }
        i++;
      }
    }
  }
}
