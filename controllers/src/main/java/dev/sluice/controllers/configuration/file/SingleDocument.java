package dev.sluice.controllers.configuration.file;

import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.util.List;

/** A configuration file with a single YAML document. */
public final class SingleDocument {
  /** The size limit of a ConfigMap, in which such files are kept. */
  private static final int MAX_LENGTH = 1 << 20;

  private SingleDocument() {}

  /**
   * @param kind the expected kind, for the error message
   * @throws InvalidConfigurationException if it is not a single object
   */
  public static Tree read(String yaml, String kind) {
    if (yaml.length() > MAX_LENGTH) {
      throw invalid(
          "has %d characters; at most %d are allowed".formatted(yaml.length(), MAX_LENGTH));
    }
    List<Value> documents;
    try {
      documents = Yaml.parseAll(yaml);
    } catch (MalformedText malformed) {
      throw invalid(String.valueOf(malformed.getMessage()));
    }
    if (documents.size() != 1) {
      throw invalid(
          "has %d documents; it must have one, of kind %s".formatted(documents.size(), kind));
    }
    if (documents.getFirst() instanceof Tree tree) {
      return tree;
    }
    throw invalid("is not an object with fields such as apiVersion and kind");
  }

  public static InvalidConfigurationException invalid(String problem) {
    return new InvalidConfigurationException(List.of(problem));
  }
}
