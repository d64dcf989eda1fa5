package dev.sluice.engine.flavor;

import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.Admission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The flavors assigned to a workload.
 *
 * @param usage the quota that it needs with them
 * @param tried where each search stopped, to continue from there
 */
public record Assignment(List<PodSetFlavors> podSets, Usage usage, FlavorCursor tried) {
  public Assignment {
    podSets = List.copyOf(podSets);
  }

  /** The mode of the whole workload: that of the pod set that fits worst. */
  public AssignmentMode mode() {
    AssignmentMode worst = AssignmentMode.FIT;
    for (PodSetFlavors podSet : podSets) {
      worst = AssignmentMode.worse(worst, podSet.mode());
    }
    return worst;
  }

  /** The height in the cohort tree up to which it borrows; 0 if it does not. */
  public int level() {
    int highest = 0;
    for (PodSetFlavors podSet : podSets) {
      for (Choice choice : podSet.choices().values()) {
        highest = Math.max(highest, choice.level());
      }
    }
    return highest;
  }

  /** The flavors and resources that need preemption. */
  public Set<FlavorResource> needed() {
    var needed = new TreeSet<FlavorResource>();
    for (PodSetFlavors podSet : podSets) {
      podSet
          .choices()
          .forEach((resource, choice) -> {
            if (choice.mode().needsPreemption()) {
              needed.add(new FlavorResource(choice.flavor(), resource));
            }
          });
    }
    return needed;
  }

  /** Whether a chosen flavor needs preemption for which there are candidates. */
  public boolean reliesOnOthers() {
    for (PodSetFlavors podSet : podSets) {
      for (Choice choice : podSet.choices().values()) {
        if (choice.mode() == AssignmentMode.PREEMPT || choice.mode() == AssignmentMode.RECLAIM) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * The flavors that were considered for the pod sets, without those that fit without borrowing.
   */
  public List<Considered> considered() {
    var considered = new ArrayList<Considered>();
    for (PodSetFlavors podSet : podSets) {
      List<FlavorAttempt> notable = podSet.notable();
      if (!notable.isEmpty()) {
        considered.add(new Considered(podSet.podSet().name(), notable));
      }
    }
    return considered;
  }

  public Admission admission(String clusterQueue) {
    var assignments = new ArrayList<Admission.Assignment>();
    podSets.forEach(podSet -> assignments.add(podSet.assignment()));
    return new Admission(clusterQueue, assignments);
  }

  /** The flavor of one resource, how well it fits and how far up the tree it borrows. */
  public record Choice(String flavor, AssignmentMode mode, int level) {}

  /**
   * The flavors of one pod set.
   *
   * @param total the requests of its pods, as far as quota counts them
   * @param choices by resource; empty if nothing was found
   * @param reasons why it does not fit yet; empty if it does
   * @param attempts the flavors that were tried
   */
  public record PodSetFlavors(
      PodSetRequest podSet,
      Amounts total,
      SortedMap<String, Choice> choices,
      List<NoFitReason> reasons,
      List<FlavorAttempt> attempts) {
    public PodSetFlavors {
      choices = Collections.unmodifiableSortedMap(new TreeMap<>(choices));
      reasons = List.copyOf(reasons);
      attempts = List.copyOf(attempts);
    }

    private List<FlavorAttempt> notable() {
      var notable = new ArrayList<FlavorAttempt>();
      for (FlavorAttempt attempt : attempts) {
        if (!attempt.isPlain()) {
          notable.add(attempt);
        }
      }
      return notable;
    }

    AssignmentMode mode() {
      AssignmentMode worst =
          choices.size() < total.byResource().size() ? AssignmentMode.NO_FIT : AssignmentMode.FIT;
      for (Choice choice : choices.values()) {
        worst = AssignmentMode.worse(worst, choice.mode());
      }
      return worst;
    }

    private Admission.Assignment assignment() {
      var flavors = new TreeMap<String, String>();
      choices.forEach((resource, choice) -> flavors.put(resource, choice.flavor()));
      return new Admission.Assignment(podSet.name(), podSet.count(), flavors, total);
    }
  }
}
