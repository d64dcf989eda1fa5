package dev.sluice.controllers.queueing.rules;

import java.util.List;
import java.util.stream.Collectors;

/** The quotas of ClusterQueues and Cohorts as YAML. */
final class QuotaText {
  private QuotaText() {}

  /** One flavor {@code a} with one resource. */
  static String one(String resource) {
    return groups(group("cpu", "{name: a, resources: [" + resource + "]}"));
  }

  static String groups(String... groups) {
    return "resourceGroups: [" + String.join(", ", groups) + "]";
  }

  static String group(String covered, String flavors) {
    return "{coveredResources: [" + covered + "], flavors: [" + flavors + "]}";
  }

  static String flavor(String name, String... resources) {
    return "{name: "
        + name
        + ", resources: ["
        + List.of(resources).stream()
            .map(resource -> "{name: " + resource + ", nominalQuota: 1}")
            .collect(Collectors.joining(", "))
        + "]}";
  }
}
