package dev.sluice.controllers.nodes.template;

import java.util.List;

/** The tokens of one action, one after the other; the last is repeated without end. */
final class TokenReader {
  private final List<Token> tokens;
  private int next;

  TokenReader(List<Token> tokens) {
    this.tokens = tokens;
  }

  Token peek() {
    return peek(0);
  }

  Token peek(int ahead) {
    return tokens.get(Math.min(next + ahead, tokens.size() - 1));
  }

  Token take() {
    Token token = peek();
    next++;
    return token;
  }
}
