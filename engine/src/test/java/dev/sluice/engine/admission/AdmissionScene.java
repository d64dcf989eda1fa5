package dev.sluice.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.flavor.FlavorRules;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.preemption.PreemptionRules.Strategy;
import dev.sluice.engine.queue.FlavorSpec;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.node.Toleration;
import dev.sluice.model.kueue.Admission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Queues with pending workloads and reservations, and the decisions, in a few words. All that is in
 * namespace {@code team}, which has the label {@code team=a}. Flavors that queues name exist. A
 * decision that breaks a promise fails the test.
 */
public final class AdmissionScene {
  public static final Instant NOW = Instant.ofEpochSecond(10_000);

  private final List<QueueSketch> queues = new ArrayList<>();
  private final List<QueueSketch> cohorts = new ArrayList<>();
  private final SortedMap<String, FlavorSpec> flavors = new TreeMap<>();
  private final List<String> needlessVictims = new ArrayList<>();
  public final AdmissionQueues engine;

  public AdmissionScene(AdmissionRules rules) {
    engine = new AdmissionQueues(rules);
    engine.watch(needlessVictims::add);
    var labels = new TreeMap<String, SortedMap<String, String>>();
    labels.put("team", new TreeMap<>(Map.of("team", "a")));
    engine.namespacesChanged(labels);
  }

  public static AdmissionScene classical(QueueSketch... queues) {
    return new AdmissionScene(with(PreemptionRules.CLASSICAL, false)).queues(queues);
  }

  public static AdmissionScene fair(QueueSketch... queues) {
    return new AdmissionScene(fairRules(List.of(Strategy.values()), true)).queues(queues);
  }

  static AdmissionRules fairRules(List<Strategy> strategies, boolean withinNominal) {
    return with(new PreemptionRules(strategies, withinNominal, Duration.ZERO, (_, _) -> 0), false);
  }

  public static AdmissionRules with(FlavorRules flavors) {
    return with(flavors, PreemptionRules.CLASSICAL, false);
  }

  public static AdmissionRules with(PreemptionRules preemption, boolean preemptorsFirst) {
    return with(FlavorRules.DEFAULT, preemption, preemptorsFirst);
  }

  private static AdmissionRules with(
      FlavorRules flavors, PreemptionRules preemption, boolean preemptorsFirst) {
    return new AdmissionRules(
        flavors,
        preemption,
        true,
        false,
        true,
        preemptorsFirst,
        true,
        workload -> {},
        Duration.ZERO);
  }

  public static AdmissionRules byUsage(Comparator<String> order) {
    return with(new PreemptionRules(List.of(), true, Duration.ZERO, order), false);
  }

  public static AdmissionRules blockUntilPodsReady() {
    return new AdmissionRules(
        FlavorRules.DEFAULT,
        PreemptionRules.CLASSICAL,
        true,
        true,
        true,
        false,
        true,
        workload -> {},
        Duration.ZERO);
  }

  public AdmissionScene queues(QueueSketch... some) {
    queues.addAll(List.of(some));
    return define();
  }

  public AdmissionScene cohorts(QueueSketch... some) {
    cohorts.addAll(List.of(some));
    return define();
  }

  /** Puts a queue in place of that of the same name. */
  public AdmissionScene change(QueueSketch queue) {
    queues.removeIf(known -> known.name().equals(queue.name()));
    return queues(queue);
  }

  AdmissionScene flavor(String name, SortedMap<String, String> labels, List<Taint> taints) {
    return flavor(new FlavorSpec(name, labels, taints, List.of()));
  }

  public AdmissionScene flavor(FlavorSpec flavor) {
    flavors.put(flavor.name(), flavor);
    return define();
  }

  public static FlavorSpec plain(String name) {
    return new FlavorSpec(name, new TreeMap<>(), List.of(), List.<Toleration>of());
  }

  private AdmissionScene define() {
    List<QueueSpec> specs = queues.stream().map(QueueSketch::spec).toList();
    specs.stream()
        .flatMap(spec -> spec.groups().stream())
        .flatMap(group -> group.flavors().stream())
        .filter(flavor -> !flavor.name().equals("missing"))
        .forEach(flavor -> flavors.putIfAbsent(flavor.name(), plain(flavor.name())));
    engine.queuesChanged(
        specs, cohorts.stream().map(QueueSketch::quotaSpec).toList(), flavors.values());
    return this;
  }

  public AdmissionScene pending(Job... jobs) {
    List.of(jobs).forEach(job -> engine.workloadPending(job.pending()));
    return this;
  }

  /** The jobs hold quota of the flavor f. */
  public AdmissionScene runs(Job... jobs) {
    List.of(jobs).forEach(job -> engine.quotaReserved(job.reservation("f")));
    return this;
  }

  public AdmissionScene runs(String flavor, Job job) {
    engine.quotaReserved(job.reservation(flavor));
    return this;
  }

  public AdmissionScene ends(String... names) {
    List.of(names).forEach(name -> engine.quotaReleased("team/" + name));
    return this;
  }

  /** The decisions, in short: admissions, preemptions with their victims, and pending reasons. */
  public List<String> decide() {
    SortedMap<String, Long> before = Invariants.overdrawn(engine);
    List<AdmissionDecision> decisions = engine.decide(NOW, Integer.MAX_VALUE);
    var broken = new ArrayList<>(Invariants.violations(engine));
    broken.addAll(needlessVictims);
    Invariants.overdrawn(engine)
        .forEach((what, by) -> {
          if (by > before.getOrDefault(what, 0L)) {
            broken.add("%s is over its limit by %d".formatted(what, by));
          }
        });
    assertThat(broken).as("broken promises").isEmpty();
    return decisions.stream().map(AdmissionScene::text).toList();
  }

  /** Only the admissions. */
  public List<String> admitted() {
    return decide().stream().filter(text -> !text.contains(":")).toList();
  }

  /** Only the preemptions, without the causes. */
  public List<String> preempting() {
    return decide().stream()
        .filter(text -> text.contains(" evicts: "))
        .map(text -> text.replaceAll(" \\(\\w+\\)", ""))
        .toList();
  }

  private static String text(AdmissionDecision decision) {
    String name = decision.workload().name();
    return switch (decision) {
      case AdmissionDecision.Admit admit ->
          admit.admission().assignments().stream()
              .map(AdmissionScene::text)
              .collect(Collectors.joining(" ", name + " ", ""))
              .strip();
      case AdmissionDecision.Preempt preempt ->
          preempt.victims().stream()
              .map(target -> target.victim().name() + " (" + target.cause().word() + ")")
              .collect(Collectors.joining(", ", name + " evicts: ", ""));
      case AdmissionDecision.Pending wait -> name + ": " + wait.reason().kind();
    };
  }

  private static String text(Admission.Assignment podSet) {
    String chosen = String.join("+", podSet.flavors().values().stream().distinct().toList());
    return podSet.podSet().equals("main") && podSet.count() == 1
        ? chosen
        : podSet.podSet() + "=" + podSet.count() + "x" + chosen;
  }
}
