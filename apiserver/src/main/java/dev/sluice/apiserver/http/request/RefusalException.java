package dev.sluice.apiserver.http.request;

import dev.sluice.model.tree.Tree;

/** An error whose Status contains more than an {@link dev.sluice.model.ApiFailure} can. */
public final class RefusalException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Tree status;

  public RefusalException(Tree status) {
    super(status.text("message"), null, false, false);
    this.status = status;
  }

  public Tree status() {
    return status;
  }
}
