package dev.sluice.controllers.configuration.file;

import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.util.List;

/** The text of a configuration file, which is one object and no more. */
public final class SingleDocument {
  /** As much as fits the ConfigMap in which Kubernetes keeps such a file. */
  private static final int LONGEST = 1 << 20;

  private SingleDocument() {}

  /**
   * @param kind what the file should be, for whoever gave another
   * @throws InvalidConfigurationException if it is none
   */
  public static Tree read(String yaml, String kind) {
    if (yaml.length() > LONGEST) {
      throw invalid("has %d characters; at most %d are allowed".formatted(yaml.length(), LONGEST));
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
