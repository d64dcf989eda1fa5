package dev.sluice.controllers.nodes.local;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The downward API: the fields of a pod that its containers can read. */
final class DownwardApi {
  private static final String LABELS = "metadata.labels";
  private static final String ANNOTATIONS = "metadata.annotations";

  private final Pod pod;
  private final String address;
  private final Tree allocatable;

  /**
   * @param address of the node, which is the pod's too
   * @param allocatable the limits of a container that has none
   */
  DownwardApi(Pod pod, String address, Tree allocatable) {
    this.pod = pod;
    this.address = address;
    this.allocatable = allocatable;
  }

  /** The value of a field, if the downward API has it. */
  Optional<String> field(String path) {
    return switch (path) {
      case "metadata.name" -> Optional.of(pod.name());
      case "metadata.namespace" -> Optional.of(pod.namespace());
      case "metadata.uid" -> Optional.of(pod.uid());
      case "spec.nodeName" -> Optional.of(pod.nodeName());
      case "spec.serviceAccountName" -> Optional.of(pod.spec().serviceAccountName());
      case "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs" ->
          Optional.of(address);
      case LABELS -> Optional.of(lines(pod.object().labels()));
      case ANNOTATIONS -> Optional.of(lines(annotations(pod.object())));
      default -> entry(path);
    };
  }

  private Optional<String> entry(String path) {
    return Stream.of(LABELS, ANNOTATIONS)
        .filter(field -> path.startsWith(field + "['") && path.endsWith("']"))
        .map(field -> {
          String key = path.substring(field.length() + 2, path.length() - 2);
          return field.equals(LABELS) ? pod.object().label(key) : pod.object().annotation(key);
        })
        .findFirst();
  }

  private static SortedMap<String, String> annotations(ApiObject object) {
    return object.metadata().texts("annotations");
  }

  private static String lines(SortedMap<String, String> entries) {
    return entries.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + quoted(entry.getValue()))
        .collect(Collectors.joining("\n"));
  }

  private static String quoted(String text) {
    String escaped =
        text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", "\\t");
    return "\"" + escaped + "\"";
  }

  /**
   * The request or limit of a container, in units of the divisor and rounded up.
   *
   * @param asking the container where the reference names none
   */
  Optional<String> resource(Tree reference, String asking) {
    String[] parts = reference.text("resource").split("\\.", 2);
    String named = reference.text("containerName");
    String name = named.isEmpty() ? asking : named;
    Optional<Container> container =
        Stream.of(pod.spec().containers(), pod.spec().initContainers())
            .flatMap(java.util.List::stream)
            .filter(each -> each.name().equals(name))
            .findFirst();
    if (parts.length < 2 || container.isEmpty()) {
      return Optional.empty();
    }
    boolean limits = parts[0].equals("limits");
    Quantities own =
        limits ? container.get().resources().limits() : container.get().resources().requests();
    Quantity quantity =
        own.tree().has(parts[1])
            ? Quantity.of(own.tree().at(parts[1]))
            : limits ? Quantity.of(allocatable.at(parts[1])) : Quantity.ZERO;
    Quantity divisor = Quantity.of(reference.at("divisor"));
    BigDecimal unit = divisor.value().signum() > 0 ? divisor.value() : BigDecimal.ONE;
    return Optional.of(quantity.value().divide(unit, 0, RoundingMode.CEILING).toPlainString());
  }
}
