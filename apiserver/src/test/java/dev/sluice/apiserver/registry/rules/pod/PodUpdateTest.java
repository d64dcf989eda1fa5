package dev.sluice.apiserver.registry.rules.pod;

import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What may change of a pod. */
class PodUpdateTest {
  private final World world = new World();

  /** A change of a stored pod's spec, and the field that is refused for it, if it is. */
  record Update(String name, String before, String change, String refused) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String TERMS =
      "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
          + " {nodeSelectorTerms: [{matchExpressions: [%s]}]}}}, schedulingGates: [{name: g}]}";

  static final List<Update> UPDATES =
      List.of(
          new Update("an image", "{}", "{containers: [{name: main, image: other:1}]}", ""),
          new Update(
              "a command", "{}", "{containers: [{name: main, image: a:1, command: [x]}]}", "spec"),
          new Update("a node", "{}", "{nodeName: n}", "spec"),
          new Update("a deadline", "{}", "{activeDeadlineSeconds: 5}", ""),
          new Update(
              "a shorter deadline", "{activeDeadlineSeconds: 9}", "{activeDeadlineSeconds: 5}", ""),
          new Update(
              "a longer deadline",
              "{activeDeadlineSeconds: 5}",
              "{activeDeadlineSeconds: 9}",
              "spec.activeDeadlineSeconds"),
          new Update(
              "one more toleration",
              "{tolerations: [{key: a, operator: Exists}]}",
              "{tolerations: [{key: a, operator: Exists}, {key: b, operator: Exists}]}",
              ""),
          new Update(
              "one toleration less",
              "{tolerations: [{key: a, operator: Exists}]}",
              "{tolerations: []}",
              "spec.tolerations"),
          new Update(
              "one gate less",
              "{schedulingGates: [{name: a}, {name: b}]}",
              "{schedulingGates: [{name: b}]}",
              ""),
          new Update(
              "one gate more",
              "{schedulingGates: [{name: a}]}",
              "{schedulingGates: [{name: a}, {name: b}]}",
              "spec.schedulingGates"),
          new Update("a node selector", "{}", "{nodeSelector: {a: b}}", "spec"),
          new Update(
              "a node selector while gated",
              "{schedulingGates: [{name: g}], nodeSelector: {a: b}}",
              "{nodeSelector: {c: d}}",
              ""),
          new Update(
              "another value while gated",
              "{schedulingGates: [{name: g}], nodeSelector: {a: b}}",
              "{nodeSelector: {a: c}}",
              "spec.nodeSelector"),
          new Update(
              "node affinity while gated",
              "{schedulingGates: [{name: g}]}",
              TERMS.formatted("{key: a, operator: Exists}"),
              ""),
          new Update(
              "a narrower affinity while gated",
              TERMS.formatted("{key: a, operator: Exists}"),
              TERMS.formatted("{key: a, operator: Exists}, {key: b, operator: Exists}"),
              ""),
          new Update(
              "a wider affinity while gated",
              TERMS.formatted("{key: a, operator: Exists}"),
              TERMS.formatted("{key: b, operator: Exists}"),
              "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                  + ".nodeSelectorTerms"));

  @ParameterizedTest
  @FieldSource("UPDATES")
  void updates(Update c) {
    Tree before = Tree.of("spec", World.yaml(c.before()));
    world.create(Kinds.POD, MergePatch.apply(Samples.pod("p"), before));
    Tree change = Tree.of("spec", World.yaml(c.change()));

    if (c.refused().isEmpty()) {
      ApiObject updated = world.merge(Kinds.POD, "p", change);
      assertThat(updated.generation()).isEqualTo(2);
    } else {
      ApiFailure failure = refused(Reason.INVALID, () -> world.merge(Kinds.POD, "p", change));
      assertThat(fields(failure)).containsExactly(c.refused());
    }
  }
}
