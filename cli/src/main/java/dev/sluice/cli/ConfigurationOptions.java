package dev.sluice.cli;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.configuration.InvalidConfigurationException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What an administrator decided, the same way for every command that runs controllers. */
final class ConfigurationOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Kueue's Configuration file. Without one, its defaults hold.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--feature-gates",
      paramLabel = "NAME=BOOL",
      split = ",",
      description =
          "Features of Kueue to switch on or off, as NAME=true,NAME=false; not together with"
              + " featureGates in the file.")
  private SortedMap<String, Boolean> featureGates = new TreeMap<>();

  /** Whether there is a file. */
  boolean isGiven() {
    return file.isPresent();
  }

  /** What holds in a world of our own, where nobody's namespace matters. */
  Loaded load() {
    return load(Configuration.DEFAULT.namespace());
  }

  /**
   * Reads the file, if there is one, and says on standard error what in it has no effect.
   *
   * @param ownNamespace where the manager lives if the file does not say
   */
  Loaded load(String ownNamespace) {
    Loaded loaded =
        file.map(path -> read(path, ownNamespace)).orElseGet(() -> withoutFile(ownNamespace));
    TextFile.warn(spec, file.map(path -> path + ": ").orElse(""), loaded.warnings());
    return loaded;
  }

  private Loaded read(Path path, String ownNamespace) {
    return TextFile.configuration(
        path, text -> ConfigurationFile.read(text, featureGates, ownNamespace));
  }

  private Loaded withoutFile(String ownNamespace) {
    try {
      return ConfigurationFile.none(featureGates, ownNamespace);
    } catch (InvalidConfigurationException invalid) {
      throw UserError.usage(String.valueOf(invalid.getMessage()));
    }
  }
}
