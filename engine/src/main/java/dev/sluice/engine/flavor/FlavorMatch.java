package dev.sluice.engine.flavor;

import dev.sluice.engine.queue.FlavorSpec;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.engine.queue.PodNeeds;
import dev.sluice.model.core.node.NodeRequirement;
import dev.sluice.model.core.node.NodeTerm;
import dev.sluice.model.core.node.Taint;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether pods may use a flavor. Only the labels that the flavor names are judged: pods may ask for
 * others, which its nodes may well have.
 */
public final class FlavorMatch {
  private FlavorMatch() {}

  /** What keeps pods from a flavor, if anything does. */
  public static Optional<NoFitReason> obstacle(PodNeeds pods, FlavorSpec flavor) {
    for (Taint taint : flavor.taints()) {
      if (taint.repels() && !tolerated(taint, pods, flavor)) {
        return Optional.of(new NoFitReason.Untolerated(flavor.name(), taint));
      }
    }
    return selects(pods, flavor)
        ? Optional.empty()
        : Optional.of(new NoFitReason.OtherNodesWanted(flavor.name()));
  }

  private static boolean tolerated(Taint taint, PodNeeds pods, FlavorSpec flavor) {
    return pods.tolerations().stream().anyMatch(one -> one.tolerates(taint))
        || flavor.tolerations().stream().anyMatch(one -> one.tolerates(taint));
  }

  private static boolean selects(PodNeeds pods, FlavorSpec flavor) {
    for (var wanted : pods.nodeSelector().entrySet()) {
      String label = flavor.nodeLabels().get(wanted.getKey());
      if (label != null && !label.equals(wanted.getValue())) {
        return false;
      }
    }
    return !pods.affinity().restricted() || anyTermMatches(pods.affinity().anyOf(), flavor);
  }

  /** A term that says nothing about the flavor's labels accepts every flavor. */
  private static boolean anyTermMatches(List<NodeTerm> terms, FlavorSpec flavor) {
    Set<String> known = flavor.nodeLabels().keySet();
    boolean matches = false;
    for (NodeTerm term : terms) {
      List<NodeRequirement> judged =
          term.expressions().stream().filter(one -> known.contains(one.key())).toList();
      if (judged.isEmpty()) {
        return true;
      }
      matches |= judged.stream().allMatch(one -> one.accepts(flavor.nodeLabels().get(one.key())));
    }
    return matches || terms.isEmpty();
  }
}
