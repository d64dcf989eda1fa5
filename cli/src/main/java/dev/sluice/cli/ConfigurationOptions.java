package dev.sluice.cli;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.configuration.Purpose;
import dev.sluice.controllers.configuration.file.InvalidConfigurationException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The configuration of Kueue, the same for every command that runs controllers. */
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

  /** The configuration for an embedded cluster, where the manager needs no namespace. */
  Loaded load(Purpose purpose) {
    return load(Configuration.DEFAULT.namespace(), purpose);
  }

  /**
   * The configuration of a manager of a real cluster.
   *
   * @param ownNamespace where it lives if the file does not say
   */
  Loaded load(String ownNamespace) {
    return load(ownNamespace, Purpose.MANAGER);
  }

  /** Reads the file, if there is one, and warns on standard error of settings without effect. */
  private Loaded load(String ownNamespace, Purpose purpose) {
    Loaded loaded =
        file.map(path -> read(path, ownNamespace, purpose))
            .orElseGet(() -> withoutFile(ownNamespace, purpose));
    warn(loaded.warnings());
    return loaded;
  }

  /** Warns of settings in the file that have no effect. */
  void warn(List<String> lines) {
    TextFile.warn(spec, file.map(path -> path + ": ").orElse(""), lines);
  }

  private Loaded read(Path path, String ownNamespace, Purpose purpose) {
    return TextFile.configuration(
        path, text -> ConfigurationFile.read(text, featureGates, ownNamespace, purpose));
  }

  private Loaded withoutFile(String ownNamespace, Purpose purpose) {
    try {
      return ConfigurationFile.none(featureGates, ownNamespace, purpose);
    } catch (InvalidConfigurationException invalid) {
      throw UserError.usage(String.valueOf(invalid.getMessage()));
    }
  }
}
