package dev.sluice.controllers.configuration.file;

import java.util.List;

/** An invalid configuration file. Every problem names its field, and how to correct it. */
public final class InvalidConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // an immutable list of strings
  private final List<String> problems;

  public InvalidConfigurationException(List<String> problems) {
    super(String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  public List<String> problems() {
    return problems;
  }
}
