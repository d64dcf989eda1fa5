package dev.sluice.model.core;

import dev.sluice.model.Kinds;
import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.core.pod.ResourceNeeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The usage of quota by objects, by the resource names of quotas. */
final class QuotaUsage {
  private static final Quantity ONE = Quantity.of(1);

  /** The usage of a pod that has terminated: it still exists. */
  private static final Quantities ENDED = new Quantities(new TreeMap<>(Map.of("count/pods", ONE)));

  private static final String REQUESTS = "requests.";
  private static final String LIMITS = "limits.";

  /**
   * The resources that each container must specify if a quota limits them, so that no pod is
   * exempt.
   */
  private static final List<String> TO_BE_SAID =
      List.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  private static final List<String> PLAIN =
      List.of("cpu", "memory", "ephemeral-storage", "pods", "count/pods");

  private QuotaUsage() {}

  static boolean isOfPods(String resource) {
    return PLAIN.contains(resource)
        || resource.startsWith(REQUESTS)
        || resource.startsWith(LIMITS)
        || resource.startsWith("hugepages-");
  }

  /** The resource names under which objects of a kind are counted; the core group has two. */
  static List<String> counts(ResourceKind kind) {
    String counted = "count/" + kind.qualifiedPlural();
    return kind.group().isEmpty() ? List.of(counted, kind.plural()) : List.of(counted);
  }

  static Quantities of(ResourceKind kind) {
    var usage = new TreeMap<String, Quantity>();
    counts(kind).forEach(name -> usage.put(name, ONE));
    return new Quantities(usage);
  }

  static Quantities of(Pod pod, Instant now) {
    if (!isInUse(pod, now)) {
      return ENDED;
    }
    var usage = new TreeMap<>(of(Kinds.POD).byResource());
    usage.putAll(named(pod.spec().exactRequests(), pod.spec().exactLimits()));
    return new Quantities(usage);
  }

  /** Whether a pod counts: neither terminal nor past its grace period. */
  private static boolean isInUse(Pod pod, Instant now) {
    return !pod.isTerminal() && end(pod).map(now::isBefore).orElse(true);
  }

  /** The end of the grace period of a terminating pod. */
  static Optional<Instant> end(Pod pod) {
    return pod.object()
        .deleted()
        .filter(_ -> pod.graceSeconds().isPresent())
        .map(time -> time.plus(Duration.ofSeconds(pod.graceSeconds().orElse(0))));
  }

  private static SortedMap<String, Quantity> named(Quantities requests, Quantities limits) {
    var named = new TreeMap<String, Quantity>();
    requests.forEach((resource, quantity) -> {
      named.put(REQUESTS + resource, quantity);
      if (PLAIN.contains(resource) || resource.startsWith("hugepages-")) {
        named.put(resource, quantity);
      }
    });
    limits.forEach((resource, quantity) -> {
      if (PLAIN.contains(resource)) {
        named.put(LIMITS + resource, quantity);
      }
    });
    return named;
  }

  static String unsaid(Set<String> limited, PodSpec pod) {
    var required = new TreeSet<>(limited);
    required.retainAll(TO_BE_SAID);
    required.removeAll(named(pod.resources()));
    var silent = new TreeMap<String, TreeSet<String>>();
    Stream.concat(pod.containers().stream(), pod.initContainers().stream())
        .forEach(container -> {
          var missing = new TreeSet<>(required);
          missing.removeAll(named(container.resources()));
          missing.forEach(resource ->
              silent.computeIfAbsent(resource, _ -> new TreeSet<>()).add(container.name()));
        });
    var parts = new ArrayList<String>();
    silent.forEach((resource, names) -> parts.add(resource + " for: " + String.join(",", names)));
    return parts.isEmpty() ? "" : "must specify " + String.join("; ", parts);
  }

  private static Set<String> named(ResourceNeeds needs) {
    return named(needs.requests(), needs.limits()).keySet();
  }
}
