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
 * The match of pods with a flavor. Only the labels that the flavor names are compared: its nodes
 * may well have the other labels that pods select.
 */
public final class FlavorMatch {
  private FlavorMatch() {}

  /** The reason why pods do not match a flavor, if they do not. */
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
    return pods.tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint))
        || flavor.tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint));
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

  /** A term without any of the flavor's labels matches every flavor. */
  private static boolean anyTermMatches(List<NodeTerm> terms, FlavorSpec flavor) {
    Set<String> known = flavor.nodeLabels().keySet();
    boolean matches = false;
    for (NodeTerm term : terms) {
      List<NodeRequirement> judged =
          term.expressions().stream()
              .filter(requirement -> known.contains(requirement.key()))
              .toList();
      if (judged.isEmpty()) {
        return true;
      }
      matches |=
          judged.stream()
              .allMatch(
                  requirement -> requirement.accepts(flavor.nodeLabels().get(requirement.key())));
    }
    return matches || terms.isEmpty();
  }
}
