package dev.sluice.apiserver.registry.admission;

import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import dev.sluice.model.core.LimitRange;
import dev.sluice.model.core.pod.ResourceNeeds;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** The check of a pod or a container against one item of a LimitRange. */
record LimitCheck(LimitRange.Item item, ResourceNeeds needs) {
  private static final int SHOWN_DIGITS = 6;

  /** Adds the violations, in Kubernetes' words. */
  void find(List<String> problems) {
    item.min().forEach((resource, least) -> add(tooLittle(resource, least), problems));
    item.max().forEach((resource, most) -> add(tooMuch(resource, most), problems));
    item.maxRatio().forEach((resource, most) -> add(tooUneven(resource, most), problems));
  }

  private static void add(String problem, List<String> problems) {
    if (!problem.isEmpty()) {
      problems.add(problem);
    }
  }

  private String tooLittle(String resource, Quantity least) {
    String bound = "minimum %s usage per %s is %s".formatted(resource, item.type(), least);
    if (!needs.requests().has(resource)) {
      return bound + ".  No request is specified";
    }
    if (needs.requests().get(resource).compareTo(least) < 0) {
      return bound + ", but request is " + needs.requests().get(resource);
    }
    boolean limited = needs.limits().has(resource);
    return limited && needs.limits().get(resource).compareTo(least) < 0
        ? bound + ", but limit is " + needs.limits().get(resource)
        : "";
  }

  private String tooMuch(String resource, Quantity most) {
    String bound = "maximum %s usage per %s is %s".formatted(resource, item.type(), most);
    if (!needs.limits().has(resource)) {
      return bound + ".  No limit is specified";
    }
    if (needs.limits().get(resource).compareTo(most) > 0) {
      return bound + ", but limit is " + needs.limits().get(resource);
    }
    return needs.requests().get(resource).compareTo(most) > 0
        ? bound + ", but request is " + needs.requests().get(resource)
        : "";
  }

  private String tooUneven(String resource, Quantity most) {
    String bound =
        "%s max limit to request ratio per %s is %s".formatted(resource, item.type(), most);
    if (isNothing(needs.requests(), resource)) {
      return bound + ", but no request is specified or request is 0";
    }
    if (isNothing(needs.limits(), resource)) {
      return bound + ", but no limit is specified or limit is 0";
    }
    BigDecimal request = needs.requests().get(resource).value();
    BigDecimal limit = needs.limits().get(resource).value();
    return limit.compareTo(request.multiply(most.value())) > 0
        ? bound
            + ", but provided ratio is "
            + limit.divide(request, SHOWN_DIGITS, RoundingMode.HALF_EVEN).toPlainString()
        : "";
  }

  private static boolean isNothing(Quantities quantities, String resource) {
    return quantities.get(resource).compareTo(Quantity.ZERO) == 0;
  }
}
