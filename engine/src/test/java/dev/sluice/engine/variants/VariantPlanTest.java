package dev.sluice.engine.variants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.queue.QueueSpec.Variants;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What is done next for a parent p with the flavors good, fair and poor. */
class VariantPlanTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
  private static final List<String> FLAVORS = List.of("good", "fair", "poor");
  private static final String ON = "";
  private static final String OFF = "off";
  private static final String GIVEN_UP = "off Evicted=DeactivatedDueToAdmissionCheck";
  private static final String RUNS = "QuotaReserved=x Admitted=x";
  private static final String STOPS = RUNS + " Evicted=Preempted";

  /**
   * @param parent how it stands: conditions with reasons, {@code off}, {@code deleting}, {@code
   *     backsOff}; with QuotaReserved it has the flavor of {@code mirrors}
   * @param variants the same for good, fair and poor; null if one is missing
   */
  record Case(
      String name, String parent, String mirrors, int targets, List<String> variants, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case c(
      String name, String parent, String mirrors, List<String> variants, String want) {
    return new Case(name, parent, mirrors, 3, variants, want);
  }

  static final List<Case> CASES =
      List.of(
          c("all wait", ON, "", List.of(ON, ON, ON), ""),
          c("one is missing", ON, "", List.of(ON, "-", ON), "Create fair"),
          c("nothing is made for what is off", OFF, "", List.of(OFF, "-", OFF), ""),
          c("all are off with the parent", OFF, "", List.of(ON, OFF, ON), "Off good, Off poor"),
          c("all are off meanwhile", "backsOff", "", List.of(ON, OFF, OFF), "Off good"),
          c("all are on again", ON, "", List.of(OFF, ON, OFF), "On good, On poor"),
          c("a check says no to one", ON, "", List.of(GIVEN_UP, ON, ON), ""),
          c(
              "a check says no to all",
              ON,
              "",
              List.of(GIVEN_UP, GIVEN_UP, GIVEN_UP),
              "GiveUp AdmissionCheck"),
          c("who is switched off begins anew", OFF, "", List.of(GIVEN_UP, OFF, OFF), "Delete good"),
          c("the first is admitted", ON, "", List.of(ON, RUNS, ON), "Mirror fair"),
          c("the best of two is admitted", ON, "", List.of(RUNS, RUNS, ON), "Mirror good"),
          c("quota alone is not enough", ON, "", List.of("QuotaReserved=x", ON, ON), ""),
          c(
              "nothing starts while it must wait",
              "backsOff",
              "",
              List.of(OFF, RUNS, OFF),
              "Off fair"),
          c("worse ones are off", RUNS, "fair", List.of(ON, RUNS, ON), "Off poor"),
          c("nothing to do", RUNS, "fair", List.of(ON, RUNS, OFF), ""),
          new Case("all others are off", RUNS, "fair", 0, List.of(ON, RUNS, OFF), "Off good"),
          new Case("some others are off", RUNS, "poor", 1, List.of(ON, ON, RUNS), "Off fair"),
          c("the variant must stop", RUNS, "fair", List.of(ON, STOPS, OFF), "Evict p Preempted"),
          c(
              "quota stays while the job stops",
              RUNS + " Evicted=Preempted",
              "fair",
              List.of(ON, STOPS, OFF),
              ""),
          c("quota goes once it has stopped", ON, "", List.of(ON, STOPS, ON), "Release fair"),
          c(
              "the quota of another goes at once",
              RUNS,
              "fair",
              List.of("QuotaReserved=x Evicted=AdmissionCheck", RUNS, OFF),
              "Release good"),
          c(
              "the parent must stop",
              RUNS + " Evicted=PodsReadyTimeout",
              "fair",
              List.of(ON, RUNS, OFF),
              "Evict fair PodsReadyTimeout"),
          c("the variant is lost", RUNS, "fair", List.of(ON, ON, OFF), "Evict p VariantEvicted"),
          c(
              "the variant is deleted",
              RUNS,
              "fair",
              List.of(ON, RUNS + " deleting", OFF),
              "Evict p VariantEvicted"),
          c("another is deleted", RUNS, "fair", List.of("deleting", RUNS, OFF), "LetGo good"),
          c(
              "a better one is ready",
              RUNS,
              "fair",
              List.of(RUNS, RUNS, OFF),
              "Evict fair FlavorMigration"),
          new Case("it stays", RUNS, "fair", 0, List.of(RUNS, RUNS, OFF), "Off good"),
          c(
              "the end",
              RUNS + " Finished=Succeeded",
              "fair",
              List.of(ON, RUNS, "Finished=x"),
              "Finish good Succeeded, Finish fair Succeeded, LetGo poor"),
          c(
              "the best that must evict others may",
              ON,
              "",
              List.of(ON, "BlockedOnPreemptionGates=x", "BlockedOnPreemptionGates=x"),
              "OpenGate fair"),
          c(
              "one at a time",
              ON,
              "",
              List.of("open=1", "BlockedOnPreemptionGates=x", ON),
              "again in 4 minutes"),
          c(
              "then the next",
              ON,
              "",
              List.of("open=5", "BlockedOnPreemptionGates=x", ON),
              "OpenGate fair"),
          c(
              "not while the first has its checks done",
              ON,
              "",
              List.of("QuotaReserved=x open=9", "BlockedOnPreemptionGates=x", ON),
              ""));

  @ParameterizedTest
  @FieldSource("CASES")
  void decides(Case c) {
    Workload parent = workload("p", c.parent, c.mirrors, Optional.empty());
    var variants = new ArrayList<Workload>();
    for (int i = 0; i < FLAVORS.size(); i++) {
      if (!c.variants.get(i).equals("-")) {
        String flavor = FLAVORS.get(i);
        variants.add(workload(flavor, c.variants.get(i), flavor, Optional.of(parent)));
      }
    }
    var rules = new Variants(FLAVORS, c.targets, new TreeSet<>());

    VariantPlan plan =
        VariantPlan.of(
            new VariantSet(parent, variants, true, Optional.of(rules), flavor -> flavor), NOW);

    assertThat(told(plan)).isEqualTo(c.want);
  }

  @Test
  void aWorkloadBecomesAParentAndIsNoneAnyMoreWithoutRules() {
    Workload parent = workload("p", ON, "", Optional.empty());
    var plain =
        new Workload(
            parent
                .object()
                .without(List.of("metadata", "labels", KueueNames.CONCURRENT_ADMISSION_PARENT)));
    var rules = new Variants(FLAVORS, 3, new TreeSet<>());

    assertThat(told(plan(plain, Optional.of(rules)))).isEqualTo("Mark");
    assertThat(told(plan(plain, Optional.empty()))).isEmpty();
    assertThat(told(plan(parent, Optional.empty()))).isEqualTo("Unmark");
  }

  private static VariantPlan plan(Workload parent, Optional<Variants> rules) {
    return VariantPlan.of(new VariantSet(parent, List.of(), true, rules, flavor -> flavor), NOW);
  }

  private static Workload workload(
      String name, String standing, String flavor, Optional<Workload> parent) {
    var conditions = new ArrayList<String>();
    ApiObject made =
        ApiObject.of(Kinds.WORKLOAD, "default", name)
            .withMetadata("uid", name)
            .withFinalizer(KueueNames.IN_USE)
            .withSpec(Tree.of("queueName", "lq", "active", !standing.contains("off")));
    made =
        parent.isPresent()
            ? made.controlledBy(parent.get().object())
                .withAnnotation(KueueNames.ALLOWED_FLAVORS, flavor)
            : made.withLabel(KueueNames.CONCURRENT_ADMISSION_PARENT, "true");
    if (standing.contains("deleting")) {
      made = made.withMetadata("deletionTimestamp", NOW.toString());
    }
    String more = standing.contains("backsOff") ? ", requeueState: {requeueAt: '" + NOW + "'}" : "";
    for (String word : standing.split(" ", -1)) {
      String[] parts = word.split("=", -1);
      if (parts.length == 2 && !parts[0].equals("open")) {
        conditions.add("{type: %s, status: 'True', reason: %s}".formatted(parts[0], parts[1]));
      }
      if (parts[0].equals("open")) {
        Instant since = NOW.minus(Duration.ofMinutes(Integer.parseInt(parts[1])));
        more +=
            ", preemptionGates: [{name: %s, position: Open, lastTransitionTime: '%s'}]"
                .formatted(KueueNames.CONCURRENT_ADMISSION_GATE, since);
      }
    }
    if (standing.contains("QuotaReserved")) {
      more +=
          ", admission: {clusterQueue: q, podSetAssignments: [{name: main, flavors: {cpu: %s}}]}"
              .formatted(flavor);
    }
    String status = "{conditions: [" + String.join(", ", conditions) + "]" + more + "}";
    return new Workload(made.withStatus((Tree) Yaml.parseAll(status).getFirst()));
  }

  private static String told(VariantPlan plan) {
    List<String> steps = plan.steps().stream().map(VariantPlanTest::told).toList();
    return plan.again()
        .map(at -> "again in " + Duration.between(NOW, at).toMinutes() + " minutes")
        .orElse(String.join(", ", steps));
  }

  private static String told(VariantStep step) {
    return switch (step) {
      case VariantStep.Mark _ -> "Mark";
      case VariantStep.Unmark _ -> "Unmark";
      case VariantStep.Create(_, Workload variant) -> "Create " + variant.object().name();
      case VariantStep.Delete(_, Workload variant, _) -> "Delete " + variant.object().name();
      case VariantStep.LetGo(Workload variant) -> "LetGo " + variant.object().name();
      case VariantStep.Finish(Workload variant, String reason, _) ->
          "Finish " + variant.object().name() + " " + reason;
      case VariantStep.Follow(Workload changed) -> "Follow " + changed.object().name();
      case VariantStep.Evict(Workload workload, String reason, _) ->
          "Evict " + workload.object().name() + " " + reason;
      case VariantStep.Release(Workload variant) -> "Release " + variant.object().name();
      case VariantStep.Switch(Workload variant, boolean active, _) ->
          (active ? "On " : "Off ") + variant.object().name();
      case VariantStep.GiveUp(_, String reason, _) -> "GiveUp " + reason;
      case VariantStep.Mirror(_, Workload variant) -> "Mirror " + variant.object().name();
      case VariantStep.Report(Workload variant, _) -> "Report " + variant.object().name();
      case VariantStep.OpenGate(Workload variant) -> "OpenGate " + variant.object().name();
    };
  }
}
