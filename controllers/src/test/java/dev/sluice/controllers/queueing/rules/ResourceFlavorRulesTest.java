package dev.sluice.controllers.queueing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ResourceFlavorRulesTest {
  private static final ResourceFlavorRules RULES = new ResourceFlavorRules();

  record Case(String name, String accepted, String refused, String field) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> NEW =
      List.of(
          new Case(
              "a node label has the key of one",
              "nodeLabels: {example.com/kind: a100}",
              "nodeLabels: {'-': a100}",
              "spec.nodeLabels"),
          new Case(
              "a node label has the value of one",
              "nodeLabels: {kind: ''}",
              "nodeLabels: {kind: 'a b'}",
              "spec.nodeLabels"),
          new Case(
              "a taint has the key of one",
              "nodeTaints: [{key: spot, effect: NoSchedule}]",
              "nodeTaints: [{key: '', effect: NoSchedule}]",
              "spec.nodeTaints[0].key"),
          new Case(
              "a taint has the value of one",
              "nodeTaints: [{key: spot, value: 'yes', effect: NoSchedule}]",
              "nodeTaints: [{key: spot, value: 'oh yes', effect: NoSchedule}]",
              "spec.nodeTaints[0].value"),
          new Case(
              "a taint exists once for each effect",
              "nodeTaints: [{key: spot, effect: NoSchedule}, {key: spot, effect: NoExecute}]",
              "nodeTaints: [{key: spot, effect: NoSchedule},"
                  + " {key: spot, value: x, effect: NoSchedule}]",
              "spec.nodeTaints[1]"),
          new Case(
              "a toleration has a key that a taint can have",
              "tolerations: [{operator: Exists}]",
              "tolerations: [{key: '/', operator: Exists}]",
              "spec.tolerations[0].key"));

  @ParameterizedTest
  @FieldSource("NEW")
  void newFlavorAndChangeAreValidated(Case c) {
    ApiObject good = flavor(c.accepted());
    ApiObject bad = flavor(c.refused());

    assertThat(RuleFixtures.fields(() -> RULES.checkCreate(good))).isEmpty();
    assertThat(RuleFixtures.fields(() -> RULES.checkCreate(bad))).containsExactly(c.field());
    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(good, bad))).containsExactly(c.field());
    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(bad, bad))).isEmpty();
  }

  /** Changes that are valid without a topology and refused with one. */
  static final List<Case> IMMUTABLE =
      List.of(
          new Case("labels", "nodeLabels: {a: x}", "nodeLabels: {a: y}", "spec.nodeLabels"),
          new Case("no labels", "nodeLabels: {a: x}", "nodeTaints: []", "spec.nodeLabels"),
          new Case(
              "tolerations",
              "tolerations: [{key: a}]",
              "tolerations: [{key: b}]",
              "spec.tolerations"));

  @ParameterizedTest
  @FieldSource("IMMUTABLE")
  void topologyMakesNodesImmutable(Case c) {
    ApiObject before = flavor(c.accepted());
    ApiObject after = flavor(c.refused());

    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(before, after))).isEmpty();
    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(inTopology(before), inTopology(after))))
        .containsExactly(c.field());
  }

  @Test
  void topologyIsSetOnce() {
    ApiObject without = flavor("nodeLabels: {a: x}");
    ApiObject with = inTopology(without);

    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(without, with))).isEmpty();
    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(with, without)))
        .containsExactly("spec.topologyName");
  }

  @Test
  void taintsCanAlwaysChange() {
    ApiObject before = inTopology(flavor("nodeTaints: []"));
    ApiObject after = inTopology(flavor("nodeTaints: [{key: a, effect: NoExecute}]"));

    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(before, after))).isEmpty();
  }

  @Test
  void newFlavorGetsAFinalizer() {
    assertThat(RULES.onCreate(flavor("nodeTaints: []")).finalizers())
        .containsExactly(KueueNames.IN_USE);
  }

  private static ApiObject flavor(String spec) {
    return ApiObject.of(Kinds.RESOURCE_FLAVOR, "", "f")
        .withSpec(RuleFixtures.tree("{" + spec + "}"));
  }

  private static ApiObject inTopology(ApiObject flavor) {
    return flavor.with(List.of("spec", "topologyName"), "racks");
  }
}
