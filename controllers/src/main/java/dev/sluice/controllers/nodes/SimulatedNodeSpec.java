package dev.sluice.controllers.nodes;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.Quantity;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The size and number of simulated nodes: {@code COUNT[:resource=quantity,...]}, for example {@code
 * 1000:cpu=32,memory=256Gi,nvidia.com/gpu=8}. Every node has room for 110 pods unless {@code pods}
 * says otherwise.
 */
public record SimulatedNodeSpec(int count, SortedMap<String, Quantity> resources) {
  private static final int MAX_NODES = 100_000;
  private static final Pattern COUNT = Pattern.compile("\\d{1,9}");
  private static final Pattern RESOURCE =
      Pattern.compile("(?:[a-z0-9.-]+/)?[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?");
  private static final Quantity DEFAULT_PODS = Quantity.of(110);

  /** What KWOK puts on its nodes, so that only pods that ask for it pretend to run. */
  public static final Taint TAINT =
      new Taint(SimulatedNode.ANNOTATION, SimulatedNode.FAKE, Taint.NO_SCHEDULE);

  public SimulatedNodeSpec {
    resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
  }

  /** Parses the string, or throws an {@link IllegalArgumentException} that says what is wrong. */
  public static SimulatedNodeSpec parse(String text) {
    int colon = text.indexOf(':');
    String count = colon < 0 ? text : text.substring(0, colon);
    if (!COUNT.matcher(count).matches()
        || Integer.parseInt(count) < 1
        || Integer.parseInt(count) > MAX_NODES) {
      throw refused(text, "\"%s\" is no count from 1 to %d".formatted(count, MAX_NODES));
    }
    var resources = new TreeMap<String, Quantity>();
    if (colon >= 0) {
      for (String part : text.substring(colon + 1).split(",", -1)) {
        read(text, part, resources);
      }
    }
    resources.putIfAbsent("pods", DEFAULT_PODS);
    return new SimulatedNodeSpec(Integer.parseInt(count), resources);
  }

  private static void read(String text, String part, SortedMap<String, Quantity> resources) {
    int equals = part.indexOf('=');
    String resource = equals < 0 ? part : part.substring(0, equals);
    if (equals < 0 || !RESOURCE.matcher(resource).matches()) {
      throw refused(text, "\"%s\" is not of the form resource=quantity".formatted(part));
    }
    Optional<Quantity> quantity = Quantity.parse(part.substring(equals + 1));
    if (quantity.isEmpty() || quantity.get().isNegative()) {
      throw refused(
          text, "\"%s\" is no quantity of %s".formatted(part.substring(equals + 1), resource));
    }
    if (resources.put(resource, quantity.get()) != null) {
      throw refused(text, resource + " stands twice");
    }
  }

  private static IllegalArgumentException refused(String text, String why) {
    return new IllegalArgumentException(
        "simulated nodes \"%s\": %s; write COUNT[:resource=quantity,...],".formatted(text, why)
            + " for example 1000:cpu=32,memory=256Gi,nvidia.com/gpu=8");
  }

  /** The nodes, named {@code simulated-<batch>-<number>} so that their names sort as numbers do. */
  public List<ApiObject> nodes(String batch, List<Taint> taints) {
    int digits = Integer.toString(count - 1).length();
    var nodes = new ArrayList<ApiObject>(count);
    Tree size = Tree.of(texts());
    for (int i = 0; i < count; i++) {
      String number = Integer.toString(i);
      String padded = "0".repeat(digits - number.length()) + number;
      nodes.add(node("simulated-" + batch + "-" + padded, size, taints));
    }
    return nodes;
  }

  private SortedMap<String, String> texts() {
    var texts = new TreeMap<String, String>();
    resources.forEach((resource, quantity) -> texts.put(resource, quantity.toString()));
    return texts;
  }

  private static ApiObject node(String name, Tree size, List<Taint> taints) {
    Node bare =
        new Node(
            ApiObject.of(Kinds.NODE, "", name)
                .withLabel("type", "kwok")
                .withLabel("kubernetes.io/hostname", name)
                .withAnnotation(SimulatedNode.ANNOTATION, SimulatedNode.FAKE));
    return bare.withTaints(taints)
        .withStatus(bare.status().withCapacity(size).withAllocatable(size))
        .object();
  }
}
