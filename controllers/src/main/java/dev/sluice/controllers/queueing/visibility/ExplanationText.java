package dev.sluice.controllers.queueing.visibility;

import dev.sluice.model.Plural;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The explanation in an item of the visibility API, as sentences for users. */
final class ExplanationText {
  private ExplanationText() {}

  static WorkloadSummary of(String workload, String clusterQueue, Tree item) {
    Tree explanation = item.tree("explanation");
    var lines = new ArrayList<String>();
    state(explanation).ifPresent(lines::add);
    ahead(explanation).ifPresent(lines::add);
    for (Tree podSet : explanation.trees("podSets")) {
      podSet(podSet, lines);
    }
    waitsFor(explanation, lines);
    blocks(explanation).ifPresent(lines::add);
    preemption(explanation, clusterQueue).ifPresent(lines::add);
    return new WorkloadSummary(
        "Waiting",
        "%s waits in ClusterQueue %s at place %d (place %d of LocalQueue %s)."
            .formatted(
                workload,
                clusterQueue,
                item.whole("positionInClusterQueue").orElse(0) + 1,
                item.whole("positionInLocalQueue").orElse(0) + 1,
                item.text("localQueueName")),
        lines);
  }

  private static Optional<String> state(Tree explanation) {
    return switch (explanation.text("standing")) {
      case "QueueInactive" ->
          Optional.of("Its ClusterQueue admits no workloads now: see the queue's conditions.");
      case "NotServed" ->
          Optional.of("Its ClusterQueue does not serve its namespace: see spec.namespaceSelector.");
      case "Misconfigured" ->
          Optional.of("Its pods would never start as they are: see its condition QuotaReserved.");
      case "InLine" -> Optional.of("It is looked at when its turn comes.");
      case "Parked" ->
          Optional.of(
              "It did not fit when it was looked at; it is looked at again when something"
                  + " changes.");
      case "Preempting" -> Optional.of("Other workloads are being preempted for it.");
      default -> Optional.empty();
    };
  }

  private static Optional<String> ahead(Tree explanation) {
    long ahead = explanation.whole("ahead").orElse(0);
    return ahead == 0
        ? Optional.empty()
        : Optional.of(ahead + " ahead of it" + named(ahead, explanation.textItems("firstAhead")));
  }

  /** Some of the workloads by name, or nothing if the user may not see any name. */
  private static String named(long count, List<String> first) {
    if (first.isEmpty()) {
      return "";
    }
    return ": " + String.join(", ", first) + (count > first.size() ? ", ..." : "");
  }

  private static Optional<String> blocks(Tree explanation) {
    long blocked = explanation.whole("blocked").orElse(0);
    return blocked == 0
        ? Optional.empty()
        : Optional.of(
            "It is the head of a StrictFIFO queue and blocks %d behind it%s"
                .formatted(blocked, named(blocked, explanation.textItems("firstBlocked"))));
  }

  private static Optional<String> preemption(Tree explanation, String clusterQueue) {
    if (!explanation.has("preemption")) {
      return Optional.empty();
    }
    long candidates = explanation.whole("preemption", "candidates").orElse(0);
    String why =
        switch (explanation.text("preemption", "obstacle")) {
          case "PolicyNever" ->
              "the policies in spec.preemption of ClusterQueue %s are Never"
                  .formatted(clusterQueue);
          case "Gated" -> "a preemption gate of the workload is closed";
          case "NoCandidates" ->
              "the policies in spec.preemption of ClusterQueue %s allow no workload that uses what is missing"
                  .formatted(clusterQueue);
          default ->
              "the %s that may be preempted would not make enough room"
                  .formatted(Plural.of(candidates, "workload"));
        };
    return Optional.of("Preemption does not help: " + why + ".");
  }

  private static void podSet(Tree podSet, List<String> lines) {
    lines.add("Pod set " + podSet.text("name") + ":");
    podSet.textItems("uncovered").forEach(reason -> lines.add("  " + reason));
    for (Tree flavor : podSet.trees("flavors")) {
      String name = "  flavor " + flavor.text("name") + ": ";
      if (flavor.flag("fits")) {
        lines.add(name + "has room");
      }
      flavor.textItems("obstacles").forEach(reason -> lines.add(name + reason));
      flavor.trees("shortages").forEach(shortage -> lines.add(name + shortage(shortage)));
    }
  }

  private static String shortage(Tree shortage) {
    String resource = shortage.text("resource");
    Quantity requested = Quantity.of(shortage.at("requested"));
    Quantity capacity = Quantity.of(shortage.at("capacity"));
    if (requested.compareTo(capacity) > 0) {
      return "asks for %s %s, more than the %s the queue could ever use: waiting does not help"
          .formatted(requested, resource, capacity);
    }
    return "%s more %s needed of the %s%s%s"
        .formatted(
            shortage.text("missing"),
            resource,
            limit(shortage.text("limit")),
            shortage.text("node"),
            holders(shortage));
  }

  private static String limit(String word) {
    return switch (word) {
      case "BorrowingLimit" -> "borrowing limit of ";
      case "CohortQuota" -> "quota of cohort ";
      default -> "quota of ";
    };
  }

  private static String holders(Tree shortage) {
    var parts = new ArrayList<String>();
    for (Tree holder : shortage.trees("holders")) {
      long workloads = holder.whole("workloads").orElse(0);
      parts.add(
          "%s %s (%s)"
              .formatted(
                  holder.text("clusterQueue"),
                  holder.text("amount"),
                  Plural.of(workloads, "workload")));
    }
    String others = shortage.text("others");
    if (!others.isEmpty() && !others.equals("0")) {
      parts.add("others " + others);
    }
    return parts.isEmpty() ? "" : "; held by " + String.join(", ", parts);
  }

  private static void waitsFor(Tree explanation, List<String> lines) {
    long count = explanation.whole("givingWay").orElse(0);
    if (count > 0) {
      List<String> names =
          explanation.trees("waitsFor").stream().map(victim -> victim.text("workload")).toList();
      lines.add(
          "%d still being preempted%s%s"
              .formatted(count, names.isEmpty() ? "" : ": ", String.join(", ", names)));
    }
  }
}
