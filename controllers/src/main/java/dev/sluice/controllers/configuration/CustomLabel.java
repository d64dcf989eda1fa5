package dev.sluice.controllers.configuration;

import dev.sluice.model.ApiObject;
import java.util.Arrays;
import java.util.List;

/**
 * A custom label of the metrics about objects of one kind. Its value is that of a label or an
 * annotation of the object.
 *
 * @param annotation whether {@code key} is the key of an annotation
 * @param tracked the values that metrics show; if empty, all values
 */
public record CustomLabel(
    String name, Source source, boolean annotation, String key, List<String> tracked) {

  /** The value that replaces all untracked values. */
  public static final String UNTRACKED = "kueue.x-k8s.io/_UNTRACKED_VALUE_";

  public CustomLabel {
    tracked = List.copyOf(tracked);
  }

  /** The kinds of objects that have metrics. */
  public enum Source {
    CLUSTER_QUEUE("ClusterQueue", 6, 0, 16),
    LOCAL_QUEUE("LocalQueue", 6, 0, 16),
    COHORT("Cohort", 6, 0, 16),
    /** Users create any number of workloads, so tracked values are required. */
    WORKLOAD("Workload", 2, 1, 12);

    final String word;
    final int maxLabels;
    final int minValues;
    final int maxValues;

    Source(String word, int maxLabels, int minValues, int maxValues) {
      this.word = word;
      this.maxLabels = maxLabels;
      this.minValues = minValues;
      this.maxValues = maxValues;
    }

    static String[] words() {
      return Arrays.stream(values()).map(source -> source.word).toArray(String[]::new);
    }

    static Source named(String word) {
      return Arrays.stream(values())
          .filter(source -> source.word.equals(word))
          .findFirst()
          .orElseThrow();
    }
  }

  /** The name of the label in metrics. */
  public String metricLabel() {
    return "custom_" + name;
  }

  /** The value in an object, or empty. */
  public String valueIn(ApiObject object) {
    return annotation ? object.annotation(key) : object.label(key);
  }
}
