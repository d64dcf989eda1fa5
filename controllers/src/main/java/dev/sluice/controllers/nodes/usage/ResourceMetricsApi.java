package dev.sluice.controllers.nodes.usage;

import dev.sluice.controllers.nodes.cel.CelFailedException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Quantity;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.Timestamps;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.ComputedApi;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The metrics API that {@code kubectl top} reads, for simulated and measured nodes and pods. Usage
 * whose expression fails is omitted.
 *
 * <p>Threads: safe.
 */
public final class ResourceMetricsApi implements ComputedApi {
  private static final String GROUP = "metrics.k8s.io";
  private static final String VERSION = "v1beta1";
  private static final ResourceKind NODES =
      new ResourceKind(GROUP, VERSION, "NodeMetrics", "nodes", false);
  private static final ResourceKind PODS =
      new ResourceKind(GROUP, VERSION, "PodMetrics", "pods", true);

  /** The values are those of the time of the request. */
  private static final String WINDOW = GoDuration.format(Duration.ofSeconds(1).toNanos());

  private final SimulatedUsage usage;
  private final MeasuredUsage measured;
  private final Supplier<Instant> clock;

  public ResourceMetricsApi(SimulatedUsage usage, MeasuredUsage measured, Supplier<Instant> clock) {
    this.usage = usage;
    this.measured = measured;
    this.clock = clock;
  }

  @Override
  public String group() {
    return GROUP;
  }

  @Override
  public List<Part> parts() {
    return List.of(Part.whole(NODES), Part.whole(PODS));
  }

  @Override
  public Tree read(Request question) {
    ResourceKind kind = question.part().of();
    Stream<Tree> all =
        kind.equals(NODES)
            ? Stream.concat(nodes(), measuredNodes())
            : Stream.concat(pods(), measuredPods()).filter(isIn(question.namespace()));
    if (question.name().isEmpty()) {
      return Tree.of(
          "apiVersion",
          kind.apiVersion(),
          "kind",
          kind.kind() + "List",
          "metadata",
          Tree.EMPTY,
          "items",
          all.toList());
    }
    return all.filter(one -> one.text("metadata", "name").equals(question.name()))
        .findFirst()
        .orElseThrow(() -> ApiFailure.notFound(kind.key(question.namespace(), question.name())));
  }

  private Stream<Tree> nodes() {
    List<ApiObject> nodes = usage.nodes().toList();
    List<Reading> readings = usage.readings(nodes);
    return Stream.iterate(0, i -> i < nodes.size(), i -> i + 1)
        .map(i ->
            about(NODES, nodes.get(i))
                .with(
                    "usage",
                    amounts(
                        () -> cpu(readings.get(i).ofNode("cpu")),
                        () -> memory(readings.get(i).ofNode("memory")))));
  }

  private static Predicate<Tree> isIn(String namespace) {
    return pod -> namespace.isEmpty() || pod.text("metadata", "namespace").equals(namespace);
  }

  private Stream<Tree> pods() {
    return usage.readings(usage.nodes().toList()).stream()
        .flatMap(reading -> reading.pods().stream().map(pod -> ofPod(reading, pod)));
  }

  private Stream<Tree> measuredNodes() {
    return measured.nodes().entrySet().stream()
        .flatMap(entry ->
            usage.node(entry.getKey()).stream()
                .map(node -> about(NODES, node).with("usage", amounts(entry.getValue()))));
  }

  private Stream<Tree> measuredPods() {
    return measured.nodes().keySet().stream()
        .flatMap(node -> usage.running(node).stream())
        .map(pod -> about(PODS, pod.object()).with("containers", measuredContainers(pod)))
        .filter(pod -> !pod.trees("containers").isEmpty());
  }

  private List<Tree> measuredContainers(Pod pod) {
    return pod.spec().containers().stream()
        .flatMap(container ->
            measured.container(pod.uid(), container.name()).stream()
                .map(use -> Tree.of("name", container.name(), "usage", amounts(use))))
        .toList();
  }

  private static Tree amounts(MeasuredUsage.Use use) {
    return amounts(() -> cpu(use.cores()), () -> memory(use.bytes()));
  }

  private Tree ofPod(Reading reading, Pod pod) {
    List<Tree> containers =
        pod.spec().containers().stream().map(each -> ofContainer(reading, pod, each)).toList();
    return about(PODS, pod.object()).with("containers", containers);
  }

  private static Tree ofContainer(Reading reading, Pod pod, Container container) {
    return Tree.of(
        "name",
        container.name(),
        "usage",
        amounts(
            () -> cpu(reading.ofContainer(pod, container, "cpu")),
            () -> memory(reading.ofContainer(pod, container, "memory"))));
  }

  private Tree about(ResourceKind kind, ApiObject object) {
    String now = Timestamps.format(clock.get());
    ApiObject named =
        ApiObject.of(kind, object.namespace(), object.name())
            .withMetadata("creationTimestamp", now)
            .withMetadata("labels", object.metadata().tree("labels"));
    return named.tree().with("timestamp", now).with("window", WINDOW);
  }

  private static Tree amounts(Supplier<Quantity> cpu, Supplier<Quantity> memory) {
    return with(with(Tree.EMPTY, "cpu", cpu), "memory", memory);
  }

  private static Tree with(Tree amounts, String resource, Supplier<Quantity> amount) {
    try {
      return amounts.with(resource, amount.get().toString());
    } catch (CelFailedException unknown) {
      return amounts;
    }
  }

  private static Quantity cpu(BigDecimal cores) {
    return new Quantity(cores, false);
  }

  private static Quantity memory(BigDecimal bytes) {
    return new Quantity(bytes, true);
  }
}
