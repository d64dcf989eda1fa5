package dev.sluice.controllers.configuration;

import dev.sluice.model.ApiObject;
import java.util.Arrays;
import java.util.List;

/**
 * A label that an administrator adds to what is measured about objects of one kind. What it says is
 * what a label or an annotation of the object says.
 *
 * @param annotation whether {@code key} is that of an annotation
 * @param tracked the values that are told; if there are none, every value is
 */
public record CustomLabel(
    String name, Source source, boolean annotation, String key, List<String> tracked) {

  /** What stands for all values that are not told. */
  public static final String UNTRACKED = "kueue.x-k8s.io/_UNTRACKED_VALUE_";

  public CustomLabel {
    tracked = List.copyOf(tracked);
  }

  /** The kinds of objects that are measured. */
  public enum Source {
    CLUSTER_QUEUE("ClusterQueue", 6, 0, 16),
    LOCAL_QUEUE("LocalQueue", 6, 0, 16),
    COHORT("Cohort", 6, 0, 16),
    /** Anybody may make any number of these, so that their values must be listed. */
    WORKLOAD("Workload", 2, 1, 12);

    final String word;
    final int mostLabels;
    final int fewestValues;
    final int mostValues;

    Source(String word, int mostLabels, int fewestValues, int mostValues) {
      this.word = word;
      this.mostLabels = mostLabels;
      this.fewestValues = fewestValues;
      this.mostValues = mostValues;
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

  /** Its name in metrics. */
  public String metricLabel() {
    return "custom_" + name;
  }

  /** What an object says; empty if it says nothing. */
  public String said(ApiObject object) {
    return annotation ? object.annotation(key) : object.label(key);
  }
}
