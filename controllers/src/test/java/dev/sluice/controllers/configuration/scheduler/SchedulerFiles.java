package dev.sluice.controllers.configuration.scheduler;

/** Parts of kube-scheduler's file for tests. */
final class SchedulerFiles {
  private static final String HEAD =
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

  private SchedulerFiles() {}

  static SchedulerConfigurationFile.Loaded read(String yaml) {
    return SchedulerConfigurationFile.read(HEAD + yaml);
  }

  static String plugins(String yaml) {
    return "profiles: [{plugins: {%s}}]".formatted(yaml);
  }

  static String arguments(String plugin, String yaml) {
    return "profiles: [{pluginConfig: [{name: %s, args: {%s}}]}]".formatted(plugin, yaml);
  }

  static String strategy(String yaml) {
    return arguments("NodeResourcesFit", "scoringStrategy: {%s}".formatted(yaml));
  }
}
