package dev.sluice.model.kueue;

import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.tree.Tree;
import java.util.OptionalInt;
import java.util.SortedMap;

/** A pod set: a number of pods with the same template. */
public record PodSet(Tree tree) {
  /** The name of a workload's only pod set. */
  public static final String MAIN = "main";

  public static PodSet of(String name, int count, PodTemplate template) {
    return new PodSet(Tree.of("name", name, "count", count, "template", template.tree()));
  }

  public String name() {
    return tree.has("name") ? tree.text("name") : MAIN;
  }

  public int count() {
    return (int) tree.whole("count").orElse(1);
  }

  /** The minimum number of pods for partial admission, if it is allowed. */
  public OptionalInt minCount() {
    var least = tree.whole("minCount");
    return least.isPresent() ? OptionalInt.of((int) least.getAsLong()) : OptionalInt.empty();
  }

  public PodTemplate template() {
    return new PodTemplate(tree.tree("template"));
  }

  /** The pod set group, whose pod sets get the same flavors; empty if it is in none. */
  public String group() {
    return tree.text("topologyRequest", "podSetGroupName");
  }

  /** Whether it has a required topology; preferred ones do not count. */
  public boolean requiresTopology() {
    Tree request = tree.tree("topologyRequest");
    SortedMap<String, String> annotations = template().annotations();
    return !request.text("required").isEmpty()
        || !request.text("podSetSliceRequiredTopology").isEmpty()
        || !request.trees("podsetSliceRequiredTopologyConstraints").isEmpty()
        || annotations.containsKey(KueueNames.REQUIRED_TOPOLOGY)
        || annotations.containsKey(KueueNames.SLICE_REQUIRED_TOPOLOGY)
        || annotations.containsKey(KueueNames.SLICE_TOPOLOGY_CONSTRAINTS);
  }

  public PodSet withCount(int count) {
    return new PodSet(tree.with("count", count));
  }

  public PodSet withMinCount(int least) {
    return new PodSet(tree.with("minCount", least));
  }

  public PodSet withoutMinCount() {
    return new PodSet(tree.without("minCount"));
  }

  public PodSet withTemplate(PodTemplate template) {
    return new PodSet(tree.with("template", template.tree()));
  }
}
