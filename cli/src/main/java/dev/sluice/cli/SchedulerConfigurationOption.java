package dev.sluice.cli;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfigurationFile;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfigurationFile.Loaded;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The configuration of kube-scheduler, the same for every command that schedules pods. */
final class SchedulerConfigurationOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--scheduler-config",
      paramLabel = "FILE",
      description =
          "kube-scheduler's configuration file: only pods that ask for one of its profiles are"
              + " scheduled, each as its profile says.")
  private Optional<Path> file = Optional.empty();

  boolean isGiven() {
    return file.isPresent();
  }

  /**
   * Reads the file, if there is one, and warns on standard error of settings without effect.
   *
   * @param ownNamespace where the manager lives, and its lease if the file does not say
   */
  Optional<Loaded> load(String ownNamespace) {
    Optional<Loaded> loaded =
        file.map(path ->
            TextFile.configuration(
                path, text -> SchedulerConfigurationFile.read(text, ownNamespace)));
    loaded.ifPresent(one -> one.warnings().forEach(this::warn));
    return loaded;
  }

  /** The same where there is no other scheduler: pods of no profile would be pending forever. */
  SchedulerConfiguration loadForAll() {
    Optional<Loaded> loaded = load(Configuration.DEFAULT.namespace());
    loaded
        .flatMap(Loaded::election)
        .ifPresent(_ -> warn("leaderElection: has no effect: there is no other scheduler"));
    SchedulerConfiguration profiles =
        loaded.map(Loaded::configuration).orElse(SchedulerConfiguration.DEFAULT);
    if (!profiles.names().contains("default-scheduler")) {
      warn(
          "profiles: there is none for default-scheduler: only pods that ask for %s get a node"
              .formatted(String.join(" or ", profiles.names())));
    }
    return profiles;
  }

  /** Warns of something in the file. */
  void warn(String line) {
    file.ifPresent(path -> TextFile.warn(spec, path + ": ", List.of(line)));
  }
}
