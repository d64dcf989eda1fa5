package dev.sluice.apiserver.registry.admission;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.Quantities;
import dev.sluice.model.core.LimitRange;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.core.pod.ResourceNeeds;
import dev.sluice.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The plugin LimitRanger: containers without requests or limits get the defaults of their
 * namespace's LimitRanges, and pods outside the allowed range are rejected.
 */
final class LimitRanger {
  private static final String ANNOTATION = "kubernetes.io/limit-ranger";

  private LimitRanger() {}

  private static List<LimitRange> in(ApiObject pod, Snapshot now) {
    return now.list(Kinds.LIMIT_RANGE, pod.namespace()).stream().map(LimitRange::new).toList();
  }

  /** A new pod with the defaults of its namespace, and an annotation that lists them. */
  static ApiObject admitPod(ApiObject pod, Snapshot now) {
    ApiObject admitted = pod;
    for (LimitRange range : in(pod, now)) {
      for (LimitRange.Item item : range.items()) {
        admitted = item.type().equals("Container") ? withDefaults(admitted, item) : admitted;
      }
    }
    return admitted;
  }

  private static ApiObject withDefaults(ApiObject pod, LimitRange.Item item) {
    var spec = new PodSpec(pod.spec());
    var set = new ArrayList<String>();
    spec.containers().forEach(one -> noteDefaults("container", one, item, set));
    spec.initContainers().forEach(one -> noteDefaults("init container", one, item, set));
    return set.isEmpty()
        ? pod
        : pod.withSpec(spec.withContainers(one -> withDefaults(one, item)).tree())
            .withAnnotation(ANNOTATION, "LimitRanger plugin set: " + String.join("; ", set));
  }

  private static void noteDefaults(
      String what, Container one, LimitRange.Item item, List<String> set) {
    noteDefaults(
        "request for " + what, one, item.defaultRequests(), one.resources().requests(), set);
    noteDefaults("limit for " + what, one, item.defaultLimits(), one.resources().limits(), set);
  }

  private static void noteDefaults(
      String what, Container one, Quantities defaults, Quantities said, List<String> set) {
    var missing = new TreeSet<>(defaults.byResource().keySet());
    missing.removeAll(said.byResource().keySet());
    if (!missing.isEmpty()) {
      set.add("%s %s %s".formatted(String.join(", ", missing), what, one.name()));
    }
  }

  private static Container withDefaults(Container container, LimitRange.Item item) {
    ResourceNeeds said = container.resources();
    return container.withResources(
        new ResourceNeeds(
            said.requests().orElse(item.defaultRequests()),
            said.limits().orElse(item.defaultLimits())));
  }

  /** Rejects a new pod that is outside the range of its namespace. */
  static void checkPod(ApiObject pod, Snapshot now) {
    var problems = new ArrayList<String>();
    for (LimitRange range : in(pod, now)) {
      range.items().forEach(item -> check(pod, item, problems));
    }
    if (!problems.isEmpty()) {
      String all = String.join(", ", problems);
      throw ApiFailure.forbidden(pod.key(Kinds.POD), problems.size() == 1 ? all : "[" + all + "]");
    }
  }

  private static void check(ApiObject pod, LimitRange.Item item, List<String> problems) {
    var spec = new PodSpec(pod.spec());
    switch (item.type()) {
      case "Container" -> {
        spec.containers().forEach(one -> new LimitCheck(item, one.resources()).find(problems));
        spec.initContainers().forEach(one -> new LimitCheck(item, one.resources()).find(problems));
      }
      case "Pod" -> {
        // The overhead of a RuntimeClass is not the pod's choice.
        var own = new PodSpec(spec.tree().without("overhead"));
        var needs = new ResourceNeeds(own.exactRequests(), own.exactLimits());
        new LimitCheck(item, needs).find(problems);
      }
      default -> {}
    }
  }
}
