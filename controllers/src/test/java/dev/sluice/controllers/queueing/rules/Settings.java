package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.tree.Tree;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Configurations that differ from the default one in what a test is about. */
final class Settings {
  private static final Configuration DEFAULT = Configuration.DEFAULT;

  private Settings() {}

  static Configuration with(Gate gate) {
    var gates = EnumSet.copyOf(DEFAULT.gates());
    gates.add(gate);
    return of(false, DEFAULT.managedJobsNamespaceSelector(), DEFAULT.frameworks(), gates);
  }

  static Configuration without(Gate gate) {
    var gates = EnumSet.copyOf(DEFAULT.gates());
    gates.remove(gate);
    return of(false, DEFAULT.managedJobsNamespaceSelector(), DEFAULT.frameworks(), gates);
  }

  static Configuration managingAll() {
    return of(true, DEFAULT.managedJobsNamespaceSelector(), DEFAULT.frameworks(), DEFAULT.gates());
  }

  static Configuration selecting(Tree namespaces) {
    return of(false, namespaces, DEFAULT.frameworks(), DEFAULT.gates());
  }

  static Configuration withFrameworks(Set<String> frameworks) {
    return of(false, DEFAULT.managedJobsNamespaceSelector(), frameworks, DEFAULT.gates());
  }

  private static Configuration of(
      boolean manageAll, Tree namespaces, Set<String> frameworks, Set<Gate> gates) {
    return new Configuration(
        DEFAULT.namespace(),
        manageAll,
        namespaces,
        DEFAULT.waitForPodsReady(),
        frameworks,
        List.of("Train.v1.example.com"),
        DEFAULT.labelKeysToCopy(),
        DEFAULT.fairSharing(),
        DEFAULT.usageSharing(),
        DEFAULT.resources(),
        DEFAULT.retention(),
        gates);
  }
}
