package dev.sluice.controllers.nodes.template;

import java.util.List;

/** What a template consists of at first sight. */
sealed interface Piece {

  /** Stands in the output as it is. */
  record Plain(String text) implements Piece {}

  /** Says what to do; the last token is an {@link Token.Kind#END}. */
  record Action(List<Token> tokens) implements Piece {
    public Action {
      tokens = List.copyOf(tokens);
    }
  }
}
