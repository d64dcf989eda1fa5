package dev.sluice.model.kueue;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The conversion of topology assignments between the two versions: v1beta1 lists the domains one by
 * one, v1beta2 lists slices of them and writes their common prefixes and suffixes once. The order
 * of the domains is kept, because it decides which pod goes where.
 *
 * <p>The same domains can be split into slices in many ways. All are read; one is written: a single
 * slice with the longest common prefixes and suffixes.
 */
final class TopologyAssignmentVersions {
  private TopologyAssignmentVersions() {}

  static Tree toDomains(Tree assignment) {
    var domains = new ArrayList<Tree>();
    for (Tree slice : assignment.trees("slices")) {
      long count = domainsOf(slice);
      for (int i = 0; i < count; i++) {
        domains.add(domain(slice, i));
      }
    }
    return assignment.has("slices")
        ? assignment.without("slices").with("domains", domains)
        : assignment;
  }

  /**
   * The number of domains, at most as many as are listed: a count alone must not fill the memory.
   */
  private static long domainsOf(Tree slice) {
    int written = Math.max(1, slice.items("podCounts", "individual").size());
    for (Tree level : slice.trees("valuesPerLevel")) {
      written = Math.max(written, level.items("individual", "roots").size());
    }
    return Math.min(written, slice.whole("domainCount").orElse(0));
  }

  private static Tree domain(Tree slice, int index) {
    List<String> values =
        slice.trees("valuesPerLevel").stream().map(level -> value(level, index)).toList();
    Tree counts = slice.tree("podCounts");
    Value count =
        counts.has("universal") ? counts.at("universal") : at(counts.items("individual"), index);
    return Tree.of("values", values, "count", count);
  }

  private static String value(Tree level, int index) {
    if (level.has("universal")) {
      return level.text("universal");
    }
    Tree own = level.tree("individual");
    return own.text("prefix") + at(own.items("roots"), index).asText() + own.text("suffix");
  }

  private static Value at(List<Value> items, int index) {
    return index < items.size() ? items.get(index) : Value.Null.NULL;
  }

  static Tree toSlices(Tree assignment) {
    List<Tree> domains = assignment.trees("domains");
    if (!assignment.has("domains")) {
      return assignment;
    }
    List<Tree> slices =
        domains.isEmpty() ? List.of() : List.of(slice(assignment.items("levels").size(), domains));
    return assignment.without("domains").with("slices", slices);
  }

  private static Tree slice(int levels, List<Tree> domains) {
    // Duplicate domains are invalid, but merging them would hide the mistake.
    boolean doubled =
        domains.size() > 1
            && isOneAndTheSame(domains.stream().map(domain -> domain.at("values")).toList());
    List<Tree> valuesPerLevel =
        IntStream.range(0, levels)
            .mapToObj(level ->
                domains.stream().map(domain -> at(domain.items("values"), level).asText()).toList())
            .map(values -> valuesOfLevel(values, !doubled))
            .toList();
    List<Value> counts = domains.stream().map(domain -> domain.at("count")).toList();
    return Tree.of(
        "domainCount",
        domains.size(),
        "valuesPerLevel",
        valuesPerLevel,
        "podCounts",
        isOneAndTheSame(counts)
            ? Tree.of("universal", counts.getFirst())
            : Tree.of("individual", new Items(counts)));
  }

  private static Tree valuesOfLevel(List<String> values, boolean once) {
    if (once && isOneAndTheSame(values)) {
      return Tree.of("universal", values.getFirst());
    }
    int shortest = values.stream().mapToInt(String::length).min().orElse(0);
    String suffix = commonEnd(values, shortest);
    String prefix = commonBeginning(values, shortest - suffix.length());
    List<String> roots =
        values.stream()
            .map(value -> value.substring(prefix.length(), value.length() - suffix.length()))
            .toList();
    Tree own = Tree.of("roots", roots);
    own = prefix.isEmpty() ? own : own.with("prefix", prefix);
    own = suffix.isEmpty() ? own : own.with("suffix", suffix);
    return Tree.of("individual", own);
  }

  private static boolean isOneAndTheSame(List<?> values) {
    return values.stream().allMatch(values.getFirst()::equals);
  }

  private static String commonBeginning(List<String> values, int longest) {
    String first = values.getFirst();
    int length = longest;
    for (String value : values) {
      while (!value.startsWith(first.substring(0, length))) {
        length--;
      }
    }
    return first.substring(0, length);
  }

  private static String commonEnd(List<String> values, int longest) {
    String first = values.getFirst();
    int start = first.length() - longest;
    for (String value : values) {
      while (!value.endsWith(first.substring(start))) {
        start++;
      }
    }
    return first.substring(start);
  }
}
