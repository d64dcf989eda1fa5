package dev.sluice.controllers.queueing.importing;

import dev.sluice.controllers.queueing.importing.Finding.Imported;
import dev.sluice.controllers.queueing.importing.Finding.Overtaken;
import dev.sluice.controllers.queueing.importing.Finding.Problem;
import dev.sluice.controllers.queueing.importing.Finding.Ready;
import dev.sluice.controllers.queueing.importing.Finding.Skipped;
import dev.sluice.controllers.queueing.importing.Finding.Written;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The result of an import, or of its check.
 *
 * @param ready the number of pods to import
 * @param written the number of pods imported in this run
 * @param before the number of pods imported before
 * @param skipped the number of pods skipped
 * @param problems the pods with a problem, by its message
 */
public record ImportReport(
    int ready, int written, int before, int skipped, SortedMap<String, List<String>> problems) {
  private static final int MAX_SHOWN = 100;

  public ImportReport {
    problems = Collections.unmodifiableSortedMap(new TreeMap<>(problems));
  }

  static ImportReport of(SortedMap<String, Finding> findings) {
    int ready = 0;
    int written = 0;
    int before = 0;
    int skipped = 0;
    var problems = new TreeMap<String, List<String>>();
    for (var finding : findings.entrySet()) {
      switch (finding.getValue()) {
        case Ready _ -> ready++;
        case Written _ -> written++;
        case Imported _ -> before++;
        case Skipped _ -> skipped++;
        case Problem(String message) -> add(problems, message, finding.getKey());
        case Overtaken _ ->
            add(
                problems,
                "another client changed it during every attempt; import again",
                finding.getKey());
      }
    }
    return new ImportReport(ready, written, before, skipped, problems);
  }

  private static void add(SortedMap<String, List<String>> problems, String message, String pod) {
    problems.computeIfAbsent(message, _ -> new ArrayList<>()).add(pod);
  }

  /** The number of pods checked. */
  public int pods() {
    return ready + written + before + skipped + refused();
  }

  /** The number of pods with a problem. */
  public int refused() {
    return problems.values().stream().mapToInt(List::size).sum();
  }

  /** Each problem once, with the number of its pods and the first of them. */
  public List<String> lines() {
    var lines = new ArrayList<String>();
    problems.forEach((message, pods) -> {
      if (lines.size() < MAX_SHOWN) {
        lines.add(
            pods.size() == 1
                ? "%s: %s".formatted(pods.getFirst(), message)
                : "%d pods, such as %s: %s".formatted(pods.size(), pods.getFirst(), message));
      }
    });
    if (problems.size() > MAX_SHOWN) {
      lines.add("and %d more".formatted(problems.size() - MAX_SHOWN));
    }
    return lines;
  }
}
