package dev.sluice.controllers.nodes.stage;

/** A stage whose expressions take more steps for an object than they may. */
public final class StageStoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Stage stage;

  StageStoppedException(Stage stage, String why) {
    super(why, null, false, false);
    this.stage = stage;
  }

  public Stage stage() {
    return stage;
  }

  public String why() {
    return String.valueOf(getMessage());
  }
}
