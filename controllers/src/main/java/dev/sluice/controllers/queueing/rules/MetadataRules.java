package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The rules for labels and annotations, and the paths of their fields. */
final class MetadataRules {
  private static final long MAX_BYTES = 256L * 1024;

  private MetadataRules() {}

  /** The field path of a label. */
  static String label(String name) {
    return "metadata.labels[" + name + "]";
  }

  /** The field path of an annotation. */
  static String annotation(String name) {
    return "metadata.annotations[" + name + "]";
  }

  /** Whether an annotation exists, empty or not. */
  static boolean hasAnnotation(ApiObject object, String name) {
    return object.metadata().tree("annotations").has(name);
  }

  /** Every key must be a qualified name, and all together must fit in an object. */
  static void checkAnnotations(
      String field, Map<String, String> annotations, ValidationErrors problems) {
    long bytes = 0;
    for (var annotation : annotations.entrySet()) {
      problems.invalidIf(
          NameSyntax.annotationKeyProblem(annotation.getKey()), field, annotation.getKey());
      bytes += bytes(annotation.getKey()) + bytes(annotation.getValue());
    }
    problems.atMostBytes(field, bytes, MAX_BYTES);
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
