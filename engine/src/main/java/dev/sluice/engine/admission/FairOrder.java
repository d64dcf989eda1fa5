package dev.sluice.engine.admission;

import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serves, in each cohort, whoever would have the lowest share. Shares change with every admission,
 * so the tournament is held anew each time: every cohort sends the best of its queues and cohorts
 * one level up.
 */
final class FairOrder {
  private final AdmissionRules rules;

  FairOrder(AdmissionRules rules) {
    this.rules = rules;
  }

  /** Takes the next out of those who remain. */
  Nomination next(List<Nomination> remaining) {
    Nomination first = remaining.getFirst();
    QuotaNode root = first.node().root();
    Nomination next = root.isQueue() ? first : new Tournament(root, remaining).winner(root);
    if (next == null) {
      throw new IllegalStateException("nobody won below " + root.path());
    }
    remaining.remove(next);
    return next;
  }

  /** How a nomination stands at one level: its branch's share, and whether that would borrow. */
  private record Standing(Share share, boolean borrows) {}

  /** One tournament among all who remain below a root. */
  private final class Tournament {
    private final Map<QuotaNode, Nomination> entries = new LinkedHashMap<>();
    private final Map<Nomination, Map<QuotaNode, Standing>> standings = new LinkedHashMap<>();

    Tournament(QuotaNode root, List<Nomination> remaining) {
      for (Nomination nomination : remaining) {
        if (nomination.node().root() == root) {
          entries.put(nomination.node(), nomination);
          standings.put(nomination, standings(nomination));
        }
      }
    }

    private static Map<QuotaNode, Standing> standings(Nomination nomination) {
      var found = new LinkedHashMap<QuotaNode, Standing>();
      nomination.node().add(nomination.usage());
      for (QuotaNode node = nomination.node(); node.parent() != null; node = node.parent()) {
        boolean borrows = false;
        for (FlavorResource of : nomination.usage().amounts().keySet()) {
          borrows |= node.borrows(of);
        }
        found.put(node, new Standing(node.share(), borrows));
      }
      nomination.node().remove(nomination.usage());
      return found;
    }

    @Nullable Nomination winner(QuotaNode cohort) {
      var contenders = new ArrayList<Contender>();
      for (QuotaNode child : cohort.cohorts()) {
        add(contenders, child, winner(child));
      }
      for (QuotaNode queue : cohort.queues()) {
        add(contenders, queue, entries.get(queue));
      }
      return contenders.stream().min(order()).map(Contender::nomination).orElse(null);
    }

    private void add(List<Contender> contenders, QuotaNode child, @Nullable Nomination nomination) {
      if (nomination != null) {
        Standing standing = standings.getOrDefault(nomination, Map.of()).get(child);
        if (standing != null) {
          contenders.add(new Contender(nomination, standing));
        }
      }
    }

    private Comparator<Contender> order() {
      return Comparator.comparing(
              (Contender one) -> !(rules.preemptorsFirst() && one.nomination().isPreemptor()))
          .thenComparing(one -> rules.ownQuotaFirst() && one.standing().borrows())
          .thenComparing(one -> one.standing().share())
          .thenComparing(one -> one.nomination().item().workload());
    }
  }

  private record Contender(Nomination nomination, Standing standing) {}
}
