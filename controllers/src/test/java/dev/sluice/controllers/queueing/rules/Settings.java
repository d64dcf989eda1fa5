package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.tree.Tree;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Configurations that differ from the default in one setting. */
public final class Settings {
  private static final Configuration DEFAULT = Configuration.DEFAULT;

  private Settings() {}

  public static Configuration with(Gate gate) {
    var gates = EnumSet.copyOf(DEFAULT.gates());
    gates.add(gate);
    return of(false, DEFAULT.managedJobsNamespaceSelector(), DEFAULT.frameworks(), gates);
  }

  public static Configuration without(Gate gate) {
    var gates = EnumSet.copyOf(DEFAULT.gates());
    gates.remove(gate);
    return of(false, DEFAULT.managedJobsNamespaceSelector(), DEFAULT.frameworks(), gates);
  }

  public static Configuration managingAll() {
    return of(true, DEFAULT.managedJobsNamespaceSelector(), DEFAULT.frameworks(), DEFAULT.gates());
  }

  public static Configuration selecting(Tree namespaces) {
    return of(false, namespaces, DEFAULT.frameworks(), DEFAULT.gates());
  }

  static Configuration withFrameworks(Set<String> frameworks) {
    return of(false, DEFAULT.managedJobsNamespaceSelector(), frameworks, DEFAULT.gates());
  }

  /** With an external framework. */
  public static Configuration withExternal(String kind) {
    return of(
        false,
        DEFAULT.managedJobsNamespaceSelector(),
        DEFAULT.frameworks(),
        List.of(kind),
        DEFAULT.labelKeysToCopy(),
        DEFAULT.gates());
  }

  /** With labels to copy from jobs to workloads. */
  public static Configuration copying(String... labels) {
    return of(
        false,
        DEFAULT.managedJobsNamespaceSelector(),
        DEFAULT.frameworks(),
        List.of(),
        List.of(labels),
        DEFAULT.gates());
  }

  /** With an annotation to copy from jobs to workloads. */
  public static Configuration copyingAnnotation(String annotation) {
    return of(
        false,
        DEFAULT.managedJobsNamespaceSelector(),
        DEFAULT.frameworks(),
        List.of(),
        List.of(),
        List.of(annotation),
        DEFAULT.gates());
  }

  /** With a retention. */
  public static Configuration keeping(Configuration.Retention retention) {
    return new Configuration(
        DEFAULT.namespace(),
        DEFAULT.manageJobsWithoutQueueName(),
        DEFAULT.managedJobsNamespaceSelector(),
        DEFAULT.waitForPodsReady(),
        DEFAULT.frameworks(),
        DEFAULT.externalFrameworks(),
        DEFAULT.labelKeysToCopy(),
        DEFAULT.annotationKeysToCopy(),
        DEFAULT.fairSharing(),
        DEFAULT.usageSharing(),
        DEFAULT.resources(),
        retention,
        DEFAULT.gates());
  }

  private static Configuration of(
      boolean manageAll, Tree namespaces, Set<String> frameworks, Set<Gate> gates) {
    return of(manageAll, namespaces, frameworks, List.of(), DEFAULT.labelKeysToCopy(), gates);
  }

  private static Configuration of(
      boolean manageAll,
      Tree namespaces,
      Set<String> frameworks,
      List<String> external,
      List<String> labels,
      Set<Gate> gates) {
    return of(manageAll, namespaces, frameworks, external, labels, List.of(), gates);
  }

  private static Configuration of(
      boolean manageAll,
      Tree namespaces,
      Set<String> frameworks,
      List<String> external,
      List<String> labels,
      List<String> annotations,
      Set<Gate> gates) {
    return new Configuration(
        DEFAULT.namespace(),
        manageAll,
        namespaces,
        DEFAULT.waitForPodsReady(),
        frameworks,
        external,
        labels,
        annotations,
        DEFAULT.fairSharing(),
        DEFAULT.usageSharing(),
        DEFAULT.resources(),
        DEFAULT.retention(),
        gates);
  }
}
