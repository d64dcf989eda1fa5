package dev.sluice.engine.requests;

import dev.sluice.model.Quantity;
import java.util.List;
import java.util.stream.Collectors;

/** A reason why a pod could never start. */
public sealed interface ResourceProblem {

  /** A request above the limit of the same container or pod. */
  record AboveLimit(String field, String resource, Quantity request, Quantity limit)
      implements ResourceProblem {
    @Override
    public String text() {
      return "%s.resources.requests[%s]: %s is above the limit of %s"
          .formatted(field, resource, request, limit);
    }
  }

  /** Below the minimum of a LimitRange. */
  record BelowRange(String field, String resource, Quantity value, Quantity least)
      implements ResourceProblem {
    @Override
    public String text() {
      return "%s: %s %s is below the minimum of %s".formatted(field, value, resource, least);
    }
  }

  /** Above the maximum of a LimitRange. */
  record AboveRange(String field, String resource, Quantity value, Quantity most)
      implements ResourceProblem {
    @Override
    public String text() {
      return "%s: %s %s is above the maximum of %s".formatted(field, value, resource, most);
    }
  }

  /** A feature that is not supported yet. */
  sealed interface Unsupported extends ResourceProblem {}

  /** Its pods must run near each other. */
  record TopologyRequired(String podSet) implements Unsupported {
    @Override
    public String text() {
      return ("pod set %s requires a topology, and topology-aware scheduling is not part of Sluice"
              + " yet; remove the request, or prefer the topology")
          .formatted(podSet);
    }
  }

  /** Its pods claim devices, which no quota counts, so that nothing would limit them. */
  record DevicesClaimed(String podSet, List<String> claims) implements Unsupported {
    public DevicesClaimed {
      claims = List.copyOf(claims);
    }

    @Override
    public String text() {
      return ("pod set %s claims devices (%s), and dynamic resource allocation is not part of"
              + " Sluice yet; remove them from spec.resourceClaims, or ask for devices in"
              + " requests")
          .formatted(podSet, String.join(", ", claims));
    }
  }

  /** The problem and its field, as the condition's message states it. */
  String text();

  /**
   * The problems in one message. Problems that do not depend on the namespace are shown alone.
   *
   * @param problems at least one
   */
  static String message(List<ResourceProblem> problems) {
    List<ResourceProblem> unsupported =
        problems.stream().filter(Unsupported.class::isInstance).toList();
    if (!unsupported.isEmpty()) {
      return joined(unsupported);
    }
    List<ResourceProblem> aboveLimits =
        problems.stream().filter(AboveLimit.class::isInstance).toList();
    return aboveLimits.isEmpty()
        ? "resources didn't satisfy LimitRange constraints: " + joined(problems)
        : "resources validation failed: " + joined(aboveLimits);
  }

  private static String joined(List<ResourceProblem> problems) {
    return problems.stream().map(ResourceProblem::text).collect(Collectors.joining("; "));
  }
}
