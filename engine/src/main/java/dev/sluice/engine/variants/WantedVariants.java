package dev.sluice.engine.variants;

import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The desired variants of a workload: which exist, what they request, and which are active. */
record WantedVariants(VariantSet family) {

  private Workload parent() {
    return family.parent();
  }

  List<VariantStep> exist() {
    if (parent().finished() || parent().object().isDeleting() || !family.queue()) {
      return List.of();
    }
    var steps = new ArrayList<VariantStep>();
    family
        .live()
        .forEach(one ->
            superfluous(one)
                .ifPresent(why -> steps.add(new VariantStep.Delete(parent(), one, why))));
    if (steps.isEmpty() && parent().active()) {
      family.rules().ifPresent(rules -> rules.flavors().forEach(flavor -> add(flavor, steps)));
    }
    boolean ordinary = family.rules().isEmpty() && family.variants().isEmpty();
    return ordinary && parent().isParent() && !parent().reserved()
        ? List.of(new VariantStep.Unmark(parent()))
        : steps;
  }

  private void add(String flavor, List<VariantStep> steps) {
    String name = family.names().apply(flavor);
    if (family.variants().stream().noneMatch(one -> one.object().name().equals(name))) {
      steps.add(new VariantStep.Create(parent(), VariantWorkload.of(parent(), flavor, name)));
    }
  }

  private Optional<String> superfluous(Workload variant) {
    String flavor = variant.allowedFlavor();
    boolean wanted = family.rules().isPresent() && family.rules().get().rank(flavor).isPresent();
    if (!wanted) {
      return Optional.of("flavor %s is not tried any more".formatted(flavor));
    }
    boolean foreign = !variant.object().name().equals(family.names().apply(flavor));
    if (foreign || variant.finished() || VariantWorkload.isOutdated(parent(), variant)) {
      return Optional.of("it does not stand for what the workload asks for");
    }
    boolean givenUp = !parent().active() && VariantSet.isGivenUp(variant) && !variant.reserved();
    return givenUp ? Optional.of("the workload is switched off") : Optional.empty();
  }

  List<VariantStep> follow() {
    if (parent().finished() || parent().object().isDeleting()) {
      return List.of();
    }
    return family.live().stream()
        .map(one -> new Followed(one, VariantWorkload.followed(parent(), one)))
        .filter(one -> !one.before.equals(one.after))
        .<VariantStep>map(one -> new VariantStep.Follow(one.after))
        .toList();
  }

  private record Followed(Workload before, Workload after) {}

  List<VariantStep> switches() {
    if (parent().finished() || family.rules().isEmpty()) {
      return List.of();
    }
    var steps = new ArrayList<VariantStep>();
    for (Workload one : family.live()) {
      Optional<String> off = whyOff(one);
      if (off.isPresent() == one.active() && !VariantSet.isGivenUp(one)) {
        String why = off.orElse("the workload can still be admitted with its flavor");
        steps.add(new VariantStep.Switch(one, off.isEmpty(), why));
      }
    }
    return steps;
  }

  /** Why a variant must not be active; empty if it may. */
  private Optional<String> whyOff(Workload variant) {
    if (!family.isOpen()) {
      return Optional.of("the workload must not be queued");
    }
    Optional<Workload> winner = family.winner().filter(one -> !one.equals(variant));
    if (winner.isEmpty()) {
      return Optional.empty();
    }
    String name = winner.get().object().name();
    if (family.rank(variant) > family.rank(winner.get())) {
      return Optional.of("variant %s with a more favorable flavor is admitted".formatted(name));
    }
    return family.rank(variant) < family.rules().orElseThrow().targets()
        ? Optional.empty()
        : Optional.of("variant %s is admitted, and stays where it is".formatted(name));
  }

  List<VariantStep> giveUp() {
    boolean alive =
        !family.isOpen()
            || parent().finished()
            || family.rules().isEmpty()
            || family.variants().isEmpty()
            || parent().status().holds(WorkloadStatus.DEACTIVATION_TARGET);
    if (alive || !family.variants().stream().allMatch(one -> isOver(one))) {
      return List.of();
    }
    WorkloadStatus first = family.variants().getFirst().status();
    String reason = first.reason(WorkloadStatus.EVICTED).substring("DeactivatedDueTo".length());
    return List.of(new VariantStep.GiveUp(parent(), reason, first.message(WorkloadStatus.EVICTED)));
  }

  private static boolean isOver(Workload variant) {
    return VariantSet.isGivenUp(variant) && !variant.active() && !variant.reserved();
  }
}
