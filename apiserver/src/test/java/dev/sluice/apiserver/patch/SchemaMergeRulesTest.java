package dev.sluice.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.apiserver.protobuf.BuiltInSchemas;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.patch.MergeRules;
import dev.sluice.model.patch.MergeStyle;
import dev.sluice.model.patch.StrategicMergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Strategic merge patches of the built-in kinds, which merge as their schemas declare. */
class SchemaMergeRulesTest {
  private static final StrategicMergePatch PATCHES = new StrategicMergePatch(MergeStyle.KUBERNETES);

  record Case(String name, String kind, String target, String patch, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "containers merge by name",
              "v1/Pod",
              "{spec: {containers: [{name: a, image: x}, {name: b, image: y}]}}",
              "{spec: {containers: [{name: b, image: z}]}}",
              "{spec: {containers: [{name: a, image: x}, {name: b, image: z}]}}"),
          new Case(
              "a pod template in a CronJob merges too",
              "batch/v1/CronJob",
              "{spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: a, image:"
                  + " x}]}}}}}}",
              "{spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: a, env: [{name:"
                  + " e}]}]}}}}}}",
              "{spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: a, image: x, env:"
                  + " [{name: e}]}]}}}}}}"),
          new Case(
              "new elements come before the server's own",
              "v1/Pod",
              "{spec: {containers: [{name: e}, {name: f}]}}",
              "{spec: {containers: [{name: g}]}}",
              "{spec: {containers: [{name: g}, {name: e}, {name: f}]}}"),
          new Case(
              "an order is given, the server's own keeps its place",
              "v1/Pod",
              "{spec: {containers: [{name: a}, {name: b}, {name: c}]}}",
              "{spec: {$setElementOrder/containers: [{name: c}, {name: d}, {name: a}], containers:"
                  + " [{name: d}]}}",
              "{spec: {containers: [{name: b}, {name: c}, {name: d}, {name: a}]}}"),
          new Case(
              "an order alone",
              "v1/Pod",
              "{metadata: {finalizers: [x, y, z]}}",
              "{metadata: {$setElementOrder/finalizers: [z, x]}}",
              "{metadata: {finalizers: [y, z, x]}}"),
          new Case(
              "an element is deleted",
              "v1/Pod",
              "{spec: {volumes: [{name: a}, {name: b}]}}",
              "{spec: {volumes: [{name: a, $patch: delete}, {name: c}]}}",
              "{spec: {volumes: [{name: c}, {name: b}]}}"),
          new Case(
              "a list that lost its last element is gone",
              "v1/Pod",
              "{spec: {volumes: [{name: a}]}}",
              "{spec: {volumes: [{name: a, $patch: delete}]}}",
              "{spec: {}}"),
          new Case(
              "a list is replaced",
              "v1/Pod",
              "{spec: {containers: [{name: a}, {name: b}]}}",
              "{spec: {containers: [{$patch: replace}, {name: c}]}}",
              "{spec: {containers: [{name: c}]}}"),
          new Case(
              "finalizers unite, some are deleted",
              "v1/Pod",
              "{metadata: {finalizers: [a, b]}}",
              "{metadata: {finalizers: [c, b], $deleteFromPrimitiveList/finalizers: [a]}}",
              "{metadata: {finalizers: [c, b]}}"),
          new Case(
              "only the first key counts for ports, and its first bearer merges",
              "v1/Pod",
              "{spec: {containers: [{name: a, ports: [{containerPort: 53, protocol: TCP},"
                  + " {containerPort: 53, protocol: UDP}]}]}}",
              "{spec: {containers: [{name: a, ports: [{containerPort: 53, name: dns}]}]}}",
              "{spec: {containers: [{name: a, ports: [{containerPort: 53, protocol: TCP, name:"
                  + " dns}, {containerPort: 53, protocol: UDP}]}]}}"),
          new Case(
              "tolerations and arguments are replaced",
              "v1/Pod",
              "{spec: {tolerations: [{key: a}], containers: [{name: a, args: [x, y]}]}}",
              "{spec: {tolerations: [{key: b}], containers: [{name: a, args: [z]}]}}",
              "{spec: {tolerations: [{key: b}], containers: [{name: a, args: [z]}]}}"),
          new Case(
              "retained keys",
              "apps/v1/Deployment",
              "{spec: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}}}",
              "{spec: {strategy: {$retainKeys: [type], type: Recreate}}}",
              "{spec: {strategy: {type: Recreate}}}"),
          new Case(
              "a map is replaced, emptied, merged",
              "v1/ConfigMap",
              "{data: {a: x}, metadata: {labels: {a: x}, annotations: {a: x}}}",
              "{data: {$patch: replace, b: z, c: null}, metadata: {labels: {$patch: delete},"
                  + " annotations: {$patch: merge, b: z}}}",
              "{data: {b: z}, metadata: {labels: {}, annotations: {a: x, b: z}}}"),
          new Case(
              "null deletes and nothing of a patch stays behind",
              "v1/Pod",
              "{spec: {nodeName: n}}",
              "{spec: {nodeName: null, hostname: null, containers: [{name: a, image: null,"
                  + " $setElementOrder/env: []}, {name: b, $patch: delete}]}}",
              "{spec: {containers: [{name: a}]}}"),
          new Case(
              "conditions of a Job merge by type",
              "batch/v1/Job",
              "{status: {conditions: [{type: Suspended, status: 'True'}]}}",
              "{status: {conditions: [{type: Suspended, status: 'False'}, {type: Complete}]}}",
              "{status: {conditions: [{type: Suspended, status: 'False'}, {type: Complete}]}}"),
          new Case(
              "a selector of a budget is replaced whole",
              "policy/v1/PodDisruptionBudget",
              "{spec: {selector: {matchLabels: {a: x}}}}",
              "{spec: {selector: {matchLabels: {b: y}}}}",
              "{spec: {selector: {matchLabels: {b: y}}}}"));

  @ParameterizedTest
  @FieldSource("CASES")
  void applies(Case c) {
    assertThat(PATCHES.apply(tree(c.target()), tree(c.patch()), schema(c.kind())))
        .isEqualTo(tree(c.want()));
  }

  record Refused(String patch, Reason reason, String message) {}

  static final List<Refused> REFUSED =
      List.of(
          new Refused(
              "{spec: {containers: [{image: x}]}}",
              Reason.INTERNAL_ERROR,
              "needs its merge key name"),
          new Refused("{spec: {$patch: burn}}", Reason.BAD_REQUEST, "but it is \"burn\""),
          new Refused(
              "{spec: {$retainKeys: [a], b: 1}}", Reason.BAD_REQUEST, "$retainKeys do not list"),
          new Refused("{spec: {$retainKeys: a}}", Reason.BAD_REQUEST, "$retainKeys must be a list"),
          new Refused(
              "{spec: {$setElementOrder/containers: [{name: a}], containers: [{name: b}]}}",
              Reason.BAD_REQUEST,
              "must all stand in $setElementOrder/containers"),
          new Refused(
              "{spec: {$setElementOrder/containers: [{name: a}, {name: b}], containers: [{name: b},"
                  + " {name: a}]}}",
              Reason.BAD_REQUEST,
              "in the same order"));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void refuses(Refused c) {
    Tree pod = tree("{spec: {containers: [{name: a}]}}");

    var refused =
        catchThrowableOfType(
            ApiException.class, () -> PATCHES.apply(pod, tree(c.patch()), schema("v1/Pod")));

    assertThat(refused.failure().reason()).isEqualTo(c.reason());
    assertThat(refused).hasMessageContaining(c.message());
  }

  @Test
  void aPatchThatChangesNothingReturnsTheTreeItself() {
    Tree pod = tree("{spec: {containers: [{name: a, image: x}, {name: b}]}}");

    assertThat(
            PATCHES.apply(
                pod, tree("{spec: {containers: [{name: a, image: x}]}}"), schema("v1/Pod")))
        .isSameAs(pod);
  }

  private static MergeRules schema(String kind) {
    int slash = kind.lastIndexOf('/');
    return new SchemaMergeRules(
        BuiltInSchemas.find(kind.substring(0, slash), kind.substring(slash + 1)).orElseThrow());
  }

  private static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }
}
