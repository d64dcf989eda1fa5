package dev.sluice.controllers.nodes.template;

import java.util.List;

/** A piece of the source of a template. */
sealed interface Piece {

  /** Text that is written as it is. */
  record Plain(String text) implements Piece {}

  /** An action; the last token is an {@link Token.Kind#END}. */
  record Action(List<Token> tokens) implements Piece {
    public Action {
      tokens = List.copyOf(tokens);
    }
  }
}
