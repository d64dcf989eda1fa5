package dev.sluice.apiserver.http;

import dev.sluice.model.tree.Tree;

/** A refusal whose Status says more than an {@link dev.sluice.model.ApiFailure} can. */
final class RefusalException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Tree status;

  RefusalException(Tree status) {
    super(status.text("message"), null, false, false);
    this.status = status;
  }

  Tree status() {
    return status;
  }
}
