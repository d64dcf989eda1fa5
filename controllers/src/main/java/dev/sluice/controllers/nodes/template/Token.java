package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Value;

/**
 * A token between {@code {{} and {@code }}}.
 *
 * @param text a name without its dot or dollar sign, or the token as it is written
 * @param value the value of a constant, else null's value
 * @param afterSpace whether a space separates it from the token before
 */
record Token(Kind kind, String text, Value value, boolean afterSpace, int line) {

  enum Kind {
    FIELD,
    DOT,
    VARIABLE,
    WORD,
    CONSTANT,
    OPEN,
    CLOSE,
    PIPE,
    DECLARE,
    ASSIGN,
    COMMA,
    END
  }

  boolean is(Kind wanted) {
    return kind == wanted;
  }
}
