package dev.sluice.simulator.run;

import dev.sluice.model.tree.Yaml;
import java.util.List;

/** An object of a scenario that cannot be created at the start, so that nothing runs. */
public final class RefusedStep extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int document;

  RefusedStep(int document, String message) {
    super(message);
    this.document = document;
  }

  /** The line of the object in the file. */
  public int line(String yaml) {
    return Yaml.line(yaml, document, List.of());
  }
}
