package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Value;

/**
 * The smallest part of what stands between {@code {{} and {@code }}}.
 *
 * @param text a name without its dot or dollar sign, or the token as it is written
 * @param value what a constant stands for, else null's value
 * @param afterSpace whether it stands apart from the token before it
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
