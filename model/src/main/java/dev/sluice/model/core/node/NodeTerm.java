package dev.sluice.model.core.node;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** One term of a node selector: all of its requirements must be met. */
public record NodeTerm(List<NodeRequirement> expressions, List<NodeRequirement> fields) {
  private static final String NAME = "metadata.name";

  public NodeTerm {
    expressions = List.copyOf(expressions);
    fields = List.copyOf(fields);
  }

  static NodeTerm of(Tree tree) {
    return new NodeTerm(
        tree.trees("matchExpressions").stream().map(NodeRequirement::of).toList(),
        tree.trees("matchFields").stream().map(NodeRequirement::of).toList());
  }

  /** Reads topology terms, which list the allowed values of labels. */
  public static List<NodeTerm> topologies(List<Tree> terms) {
    return terms.stream()
        .map(term ->
            new NodeTerm(
                term.trees("matchLabelExpressions").stream()
                    .map(one -> new NodeRequirement(one.text("key"), "In", one.textItems("values")))
                    .toList(),
                List.of()))
        .toList();
  }

  /** The names of the only nodes that can match; empty if it does not name nodes. */
  SortedSet<String> nodeNames() {
    List<List<String>> named =
        fields.stream()
            .filter(field -> field.key().equals(NAME) && field.operator().equals("In"))
            .map(NodeRequirement::values)
            .toList();
    var names = new TreeSet<String>();
    if (!named.isEmpty()) {
      names.addAll(named.getFirst());
      named.forEach(names::retainAll);
    }
    return names;
  }

  /** Whether a node matches; a term without requirements matches no node, as in Kubernetes. */
  public boolean matches(String nodeName, Map<String, String> labels) {
    // Plain loops: a pod may have thousands of terms, and each is evaluated for every node.
    for (NodeRequirement demand : expressions) {
      if (!demand.accepts(labels.get(demand.key()))) {
        return false;
      }
    }
    for (NodeRequirement demand : fields) {
      if (!demand.key().equals(NAME) || !demand.accepts(nodeName)) {
        return false;
      }
    }
    return !(expressions.isEmpty() && fields.isEmpty());
  }
}
