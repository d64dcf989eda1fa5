package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.tree.Tree;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Warnings about annotations of pods that have no effect any more, because a field has replaced
 * them.
 */
final class AnnotationWarnings {
  private static final String SECCOMP =
      "non-functional in v1.27+; use the \"seccompProfile\" field";
  private static final String APP_ARMOR =
      "deprecated since v1.30; use the \"appArmorProfile\" field";
  private static final String LOCAL_PROFILE = "localhost/";

  private static final SortedMap<String, String> OUTDATED =
      new TreeMap<>(
          Map.of(
              "scheduler.alpha.kubernetes.io/critical-pod",
              "non-functional in v1.16+; use the \"priorityClassName\" field",
              "security.alpha.kubernetes.io/sysctls",
              "non-functional in v1.11+; use the \"sysctls\" field",
              "security.alpha.kubernetes.io/unsafe-sysctls",
              "non-functional in v1.11+; use the \"sysctls\" field"));

  private final Tree annotations;
  private final Tree security;
  private final BiConsumer<String, String> warnings;

  /**
   * @param warnings receives an annotation and the warning about it
   */
  AnnotationWarnings(Tree template, BiConsumer<String, String> warnings) {
    this.annotations = template.tree("metadata", "annotations");
    this.security = template.tree("spec", "securityContext");
    this.warnings = warnings;
  }

  void pod() {
    OUTDATED.forEach(this::warn);
    if (!security.has("seccompProfile")) {
      warn("seccomp.security.alpha.kubernetes.io/pod", SECCOMP);
    }
  }

  void container(Tree container) {
    if (annotations.isEmpty()) {
      return;
    }
    String name = container.text("name");
    Tree own = container.tree("securityContext");
    if (!own.has("seccompProfile")) {
      warn("container.seccomp.security.alpha.kubernetes.io/" + name, SECCOMP);
    }
    String appArmor = "container.apparmor.security.beta.kubernetes.io/" + name;
    boolean same =
        profile(annotations.text(appArmor)).equals(Optional.of(security.tree("appArmorProfile")));
    if (!own.has("appArmorProfile") && !same) {
      warn(appArmor, APP_ARMOR);
    }
  }

  private void warn(String annotation, String instead) {
    if (annotations.has(annotation)) {
      warnings.accept(annotation, instead + " instead");
    }
  }

  /** The field that corresponds to an AppArmor annotation, if there is one. */
  private static Optional<Tree> profile(String annotation) {
    if (annotation.startsWith(LOCAL_PROFILE)) {
      String local = annotation.substring(LOCAL_PROFILE.length());
      return local.isEmpty()
          ? Optional.empty()
          : Optional.of(Tree.of("type", "Localhost", "localhostProfile", local));
    }
    return switch (annotation) {
      case "unconfined" -> Optional.of(Tree.of("type", "Unconfined"));
      case "runtime/default" -> Optional.of(Tree.of("type", "RuntimeDefault"));
      default -> Optional.empty();
    };
  }
}
