package dev.sluice.controllers.nodes.usage;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import dev.sluice.controllers.nodes.cel.CelLanguage;
import dev.sluice.model.ApiObject;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.Pod;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The usage of one node and its running pods at one time, with the functions by which expressions
 * read it.
 *
 * <p>Threads: none; it belongs to its reader.
 */
final class Reading {
  /** The functions of metrics in addition to those of usage. */
  static final List<CelFunctionDecl> FUNCTIONS =
      List.of(
          usage("Usage"),
          usage("CumulativeUsage"),
          CelLanguage.method("StartedContainersTotal", SimpleType.DOUBLE, SimpleType.DYN),
          CelLanguage.method("startedContainersTotal", SimpleType.DOUBLE, SimpleType.DYN));

  private final ApiObject node;
  private final Subject subject;
  private final List<Pod> pods;
  private final Usages usages;
  private final UsageCounters meters;
  private final Instant now;

  Reading(ApiObject node, List<Pod> pods, Usages usages, UsageCounters meters, Instant now) {
    this.node = node;
    this.subject = Subject.of(node);
    this.pods = List.copyOf(pods);
    this.usages = usages;
    this.meters = meters;
    this.now = now;
  }

  private static CelFunctionDecl usage(String name) {
    return CelFunctionDecl.newFunctionDeclaration(
        name,
        Stream.concat(
                CelLanguage.overloads(name, SimpleType.DOUBLE, SimpleType.DYN, SimpleType.STRING),
                CelLanguage.overloads(
                    ofContainer(name),
                    SimpleType.DOUBLE,
                    SimpleType.DYN,
                    SimpleType.STRING,
                    SimpleType.STRING))
            .toList());
  }

  private static String ofContainer(String name) {
    return name + "_of_container";
  }

  Subject subject() {
    return subject;
  }

  List<Pod> pods() {
    return pods;
  }

  BigDecimal ofNode(String resource) {
    return sum(pods.stream().map(pod -> ofPod(pod, resource)));
  }

  BigDecimal ofPod(Pod pod, String resource) {
    return sum(pod.spec().containers().stream().map(each -> ofContainer(pod, each, resource)));
  }

  BigDecimal ofContainer(Pod pod, Container container, String resource) {
    return usages.of(pod, container, resource, () -> subject.with(pod).with(container));
  }

  private static BigDecimal sum(Stream<BigDecimal> amounts) {
    return amounts.reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** The function bindings for expressions about a pod. */
  List<CelFunctionBinding> functionsOf(Pod pod) {
    return functions(
        (resource, container) ->
            container.isEmpty()
                ? ofPod(pod, resource)
                : sum(
                    pod.spec().containers().stream()
                        .filter(each -> each.name().equals(container))
                        .map(each -> ofContainer(pod, each, resource))),
        "pod/" + pod.uid());
  }

  /** The function bindings for expressions about the node alone. */
  List<CelFunctionBinding> functions() {
    return functions((resource, _) -> ofNode(resource), "");
  }

  /** The usage of a resource; the container is empty for all of them. */
  private interface Asked {
    BigDecimal of(String resource, String container);
  }

  @SuppressWarnings("Immutable") // lives for one evaluation
  private List<CelFunctionBinding> functions(Asked pod, String podMeter) {
    var all = new ArrayList<CelFunctionBinding>();
    bind(all, "Usage", (object, asked) -> of(object, pod).of(asked.resource, asked.container));
    bind(
        all,
        "CumulativeUsage",
        (object, asked) ->
            meters.read(
                String.join("/", meter(object, podMeter), asked.container, asked.resource),
                of(object, pod).of(asked.resource, asked.container),
                now));
    for (String name : List.of("StartedContainersTotal", "startedContainersTotal")) {
      for (String overload : List.of(name, CelLanguage.behind(name))) {
        all.add(CelFunctionBinding.from(overload, Map.class, _ -> (double) startedContainers()));
      }
    }
    return all;
  }

  /** An expression about a pod may also read its node. */
  private Asked of(Map<?, ?> object, Asked pod) {
    return isNode(object) ? (resource, _) -> ofNode(resource) : pod;
  }

  private String meter(Map<?, ?> object, String podMeter) {
    return isNode(object) ? "node/" + node.name() : podMeter;
  }

  private static boolean isNode(Map<?, ?> object) {
    return "Node".equals(object.get("kind"));
  }

  private record UsageKey(String resource, String container) {}

  private interface Answering {
    BigDecimal answer(Map<?, ?> object, UsageKey asked);
  }

  private static void bind(List<CelFunctionBinding> all, String name, Answering answering) {
    String ofContainer = ofContainer(name);
    bind(all, name, ofContainer, answering);
    bind(all, CelLanguage.behind(name), CelLanguage.behind(ofContainer), answering);
  }

  @SuppressWarnings("Immutable") // lives for one evaluation
  private static void bind(
      List<CelFunctionBinding> all, String overload, String ofContainer, Answering answering) {
    all.add(
        CelFunctionBinding.from(
            overload,
            Map.class,
            String.class,
            (object, resource) ->
                answering.answer(object, new UsageKey(resource, "")).doubleValue()));
    all.add(
        CelFunctionBinding.from(
            ofContainer,
            List.of(Map.class, String.class, String.class),
            arguments ->
                answering
                    .answer(
                        (Map<?, ?>) arguments[0],
                        new UsageKey((String) arguments[1], (String) arguments[2]))
                    .doubleValue()));
  }

  private long startedContainers() {
    return pods.stream()
        .flatMap(pod -> pod.status().tree().trees("containerStatuses").stream())
        .mapToLong(status -> 1 + status.whole("restartCount").orElse(0))
        .sum();
  }
}
