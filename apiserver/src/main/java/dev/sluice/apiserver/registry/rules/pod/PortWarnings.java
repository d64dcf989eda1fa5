package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Warnings about conflicting ports of the containers of one pod. */
final class PortWarnings {
  private static final int MAX_WARNINGS = 100;

  private final String field;
  private final BiConsumer<String, String> warnings;
  private final Map<String, List<Port>> byNumber = new TreeMap<>();
  private final Map<String, Port> byName = new TreeMap<>();
  private int count;

  /**
   * @param field the path of the pod's spec
   * @param warnings receives the path of a port in it and the warning about it
   */
  PortWarnings(String field, BiConsumer<String, String> warnings) {
    this.field = field;
    this.warnings = warnings;
  }

  /** A port of a container with its path. */
  private record Port(String at, Tree tree) {
    String name() {
      return tree.text("name");
    }

    String hostAddress() {
      return tree.text("hostIP");
    }

    long host() {
      return tree.whole("hostPort").orElse(0);
    }

    String number() {
      return tree.whole("containerPort").orElse(0) + "/" + tree.text("protocol");
    }

    @Override
    public String toString() {
      return "{Name:%s HostPort:%d ContainerPort:%d Protocol:%s HostIP:%s}"
          .formatted(
              name(),
              host(),
              tree.whole("containerPort").orElse(0),
              tree.text("protocol"),
              hostAddress());
    }
  }

  /** Adds a container, whose ports are compared with those before. */
  void container(String at, Tree container) {
    List<Tree> ports = container.trees("ports");
    // With very many ports, a warning for each pair would not be read.
    for (int i = 0; i < ports.size() && count < MAX_WARNINGS; i++) {
      var port = new Port("%s.ports[%d]".formatted(at, i), ports.get(i));
      if (!port.hostAddress().isEmpty() && port.host() == 0) {
        warn(port, "hostIP set without hostPort: " + port);
      }
      number(port);
      name(port);
    }
  }

  private void number(Port port) {
    List<Port> others = byNumber.computeIfAbsent(port.number(), _ -> new ArrayList<>());
    for (int i = 0; i < others.size() && i < MAX_WARNINGS; i++) {
      Port other = others.get(i);
      clash(port, other)
          .ifPresent(
              how -> warn(port, "%s port definition with %s.%s".formatted(how, field, other.at())));
    }
    others.add(port);
  }

  private void name(Port port) {
    Port other = port.name().isEmpty() ? null : byName.putIfAbsent(port.name(), port);
    if (other != null) {
      String first = field + "." + other.at();
      warn(
          port,
          "duplicate port name \"%s\" with %s, services and probes that select ports by name will"
                  .formatted(port.name(), first)
              + " use "
              + first);
    }
  }

  private void warn(Port port, String warning) {
    count++;
    warnings.accept(port.at(), warning);
  }

  /** The kind of conflict between two ports, in one word or two. */
  private static Optional<String> clash(Port port, Port other) {
    boolean sameAddress = port.hostAddress().equals(other.hostAddress());
    if (sameAddress && port.host() == other.host()) {
      return Optional.of("duplicate");
    }
    if (port.host() == 0 || other.host() == 0) {
      return Optional.of("overlapping");
    }
    boolean oneIsAny = port.hostAddress().isEmpty() != other.hostAddress().isEmpty();
    return port.host() == other.host() && oneIsAny
        ? Optional.of("dangerously ambiguous")
        : Optional.empty();
  }
}
