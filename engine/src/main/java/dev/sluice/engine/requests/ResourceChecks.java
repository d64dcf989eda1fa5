package dev.sluice.engine.requests;

import dev.sluice.model.Quantities;
import dev.sluice.model.core.LimitRange;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.core.pod.ResourceNeeds;
import java.util.ArrayList;
import java.util.List;

/** The checks for resources that the API server would reject when the pods are created. */
final class ResourceChecks {
  private final List<ResourceProblem> problems = new ArrayList<>();

  private ResourceChecks() {}

  /** The problems of a pod whose defaults are filled in. */
  static List<ResourceProblem> of(PodSpec pod, List<LimitRange> ranges) {
    var checks = new ResourceChecks();
    Bounds containers = Bounds.ofContainers(ranges);
    checks.check("spec.initContainers", pod.initContainers(), containers);
    checks.check("spec.containers", pod.containers(), containers);
    checks.checkLimits("spec", pod.resources());
    Quantities total = pod.exactRequests();
    checks.checkRange("spec", total, total, Bounds.ofPods(ranges));
    return List.copyOf(checks.problems);
  }

  private void check(String list, List<Container> containers, Bounds bounds) {
    for (int i = 0; i < containers.size(); i++) {
      String field = "%s[%d]".formatted(list, i);
      ResourceNeeds needs = containers.get(i).resources();
      checkLimits(field, needs);
      checkRange(
          field,
          needs.requests().min(needs.limits()),
          needs.requests().max(needs.limits()),
          bounds);
    }
  }

  private void checkLimits(String field, ResourceNeeds needs) {
    needs
        .limits()
        .forEach((resource, limit) -> {
          var request = needs.requests().get(resource);
          if (request.compareTo(limit) > 0) {
            problems.add(new ResourceProblem.AboveLimit(field, resource, request, limit));
          }
        });
  }

  /** A bound does not apply to a resource that is not requested at all. */
  private void checkRange(String field, Quantities least, Quantities most, Bounds bounds) {
    bounds
        .least()
        .forEach((resource, bound) -> {
          if (least.has(resource) && least.get(resource).compareTo(bound) < 0) {
            problems.add(
                new ResourceProblem.BelowRange(field, resource, least.get(resource), bound));
          }
        });
    bounds
        .most()
        .forEach((resource, bound) -> {
          if (most.has(resource) && most.get(resource).compareTo(bound) > 0) {
            problems.add(
                new ResourceProblem.AboveRange(field, resource, most.get(resource), bound));
          }
        });
  }
}
