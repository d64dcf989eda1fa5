package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.CustomLabel.Source;
import dev.sluice.controllers.configuration.file.NameRules;
import dev.sluice.controllers.configuration.file.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The section {@code metrics.customLabels}: custom labels of metrics. */
final class CustomLabelSection {
  static final String FIELD = "customLabels";

  private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9_]*");
  private static final String LABEL_KEY = "sourceLabelKey";
  private static final String ANNOTATION_KEY = "sourceAnnotationKey";

  private CustomLabelSection() {}

  static List<CustomLabel> read(Section metrics, Set<Gate> gates) {
    var labels = new ArrayList<CustomLabel>();
    var names = new TreeSet<String>();
    for (Section section : metrics.sections(FIELD)) {
      CustomLabel label = label(section);
      if (!names.add(label.name())) {
        section.wrong(
            "name", "\"%s\" is the name of another label too; rename one".formatted(label.name()));
      }
      labels.add(label);
    }
    checkCounts(metrics, labels);
    if (!gates.contains(Gate.CUSTOM_METRIC_LABELS)) {
      metrics.noEffect("the gate CustomMetricLabels is false", FIELD);
      return List.of();
    }
    return List.copyOf(labels);
  }

  private static CustomLabel label(Section section) {
    String name = section.text("name", "");
    boolean annotation = section.has(ANNOTATION_KEY);
    String key = section.text(annotation ? ANNOTATION_KEY : LABEL_KEY, name);
    checkName(section, name, key);
    if (annotation && section.has(LABEL_KEY)) {
      section.wrong(
          ANNOTATION_KEY, "cannot be given together with %s; remove one".formatted(LABEL_KEY));
    }
    Source source = Source.named(section.choice("sourceKind", Source.words()));
    List<String> tracked = section.texts("trackedValues");
    if (tracked.size() < source.minValues || tracked.size() > source.maxValues) {
      section.wrong(
          "trackedValues",
          "has %d values; give %d to %d for sourceKind %s, all others are counted as one"
              .formatted(tracked.size(), source.minValues, source.maxValues, source.word));
    }
    section.end();
    return new CustomLabel(name, source, annotation, key, tracked);
  }

  private static void checkName(Section section, String name, String key) {
    if (!NAME.matcher(name).matches()) {
      section.wrong(
          "name",
          "\"%s\" cannot be part of a Prometheus label; use letters, digits and _, the first a letter"
              .formatted(name));
    } else if (!NameRules.isQualified(key)) {
      String problem = "\"%s\" is not the key of ".formatted(key);
      if (section.has(ANNOTATION_KEY)) {
        section.wrong(ANNOTATION_KEY, problem + "an annotation");
      } else if (section.has(LABEL_KEY)) {
        section.wrong(LABEL_KEY, problem + "a label");
      } else {
        section.wrong(
            "name", problem + "a label; give %s or %s".formatted(LABEL_KEY, ANNOTATION_KEY));
      }
    }
  }

  private static void checkCounts(Section metrics, List<CustomLabel> labels) {
    for (Source source : Source.values()) {
      long count = labels.stream().filter(label -> label.source() == source).count();
      if (count > source.maxLabels) {
        metrics.wrong(
            FIELD,
            "has %d labels of sourceKind %s; remove %d, since there may be %d"
                .formatted(count, source.word, count - source.maxLabels, source.maxLabels));
      }
    }
  }
}
