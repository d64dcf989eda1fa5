package dev.sluice.controllers.configuration;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.configuration.file.InvalidConfigurationException;
import java.util.List;
import java.util.TreeMap;

/** Configuration files for tests. */
final class Files {
  private Files() {}

  static String v1beta1(String fields) {
    return "apiVersion: config.kueue.x-k8s.io/v1beta1\nkind: Configuration\n" + fields;
  }

  static String v1beta2(String fields) {
    return "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + fields;
  }

  static Loaded read(String yaml) {
    return ConfigurationFile.read(yaml, new TreeMap<>());
  }

  /** The problems of an invalid file. */
  static List<String> problems(String yaml) {
    return catchThrowableOfType(InvalidConfigurationException.class, () -> read(yaml)).problems();
  }
}
