package dev.sluice.model.tree;

import java.util.List;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** The lines of values in YAML, counted from one. */
final class YamlLines {
  private YamlLines() {}

  static int line(String yaml, int document, List<String> path) {
    int number = 0;
    for (Node node : Yaml.compose(yaml)) {
      if (!node.getTag().equals(Tag.NULL) && number++ == document) {
        return line(node, lineOf(node), path);
      }
    }
    throw new IllegalArgumentException(
        "document %d of %d was asked for".formatted(document, number));
  }

  private static int line(Node node, int line, List<String> path) {
    if (path.isEmpty()) {
      return line;
    }
    String name = path.getFirst();
    List<String> rest = path.subList(1, path.size());
    if (node instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        if (entry.getKeyNode() instanceof ScalarNode key && key.getValue().equals(name)) {
          return line(entry.getValueNode(), lineOf(key), rest);
        }
      }
    }
    if (node instanceof SequenceNode sequence) {
      int place = Integer.parseInt(name);
      if (place < sequence.getValue().size()) {
        Node item = sequence.getValue().get(place);
        return line(item, lineOf(item), rest);
      }
    }
    return line;
  }

  private static int lineOf(Node node) {
    return node.getStartMark().getLine() + 1;
  }
}
