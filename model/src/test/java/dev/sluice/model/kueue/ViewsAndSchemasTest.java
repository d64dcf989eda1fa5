package dev.sluice.model.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.PodTemplate;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the views read and write is what the schemas of the definitions know. */
class ViewsAndSchemasTest {

  @Test
  void aWorkloadIsWrittenInFieldsOfItsSchema() {
    var podSet =
        PodSet.of("main", 3, new PodTemplate(Tree.of("spec", Tree.of("containers", List.of()))));
    var assignment =
        new Admission.Assignment(
            "main", 3, new TreeMap<>(Tree.of("cpu", "f").texts()), Amounts.of("cpu", 3000));
    var admission = new Admission("cq", List.of(assignment));
    Tree status =
        new Condition(WorkloadStatus.ADMITTED, true, "Admitted", "")
            .in(Tree.of("admission", admission.tree()), Instant.EPOCH);

    ApiObject object =
        Workload.of("team", "w", "lq", List.of(podSet))
            .object()
            .with(List.of("spec", "priority"), 7)
            .withStatus(status);

    assertThat(unknownFields(Kinds.WORKLOAD, object)).isEmpty();
    var workload = new Workload(object);
    assertThat(workload.podSets()).containsExactly(podSet);
    assertThat(workload.admission()).contains(admission);
    assertThat(workload.priority()).isEqualTo(7);
    assertThat(workload.queueName()).isEqualTo("lq");
  }

  @Test
  void aClusterQueueIsReadFromFieldsOfItsSchema() {
    ApiObject object =
        yaml(
            """
            spec:
              queueingStrategy: StrictFIFO
              namespaceSelector: {matchLabels: {team: a}}
              resourceGroups:
              - coveredResources: [cpu]
                flavors:
                - name: default
                  resources: [{name: cpu, nominalQuota: 1500m}]
            """);

    assertThat(unknownFields(Kinds.CLUSTER_QUEUE, object)).isEmpty();
    var queue = new ClusterQueue(object);
    assertThat(queue.strict()).isTrue();
    assertThat(queue.namespaceSelector()).isPresent();
    ResourceGroup group = queue.resourceGroups().getFirst();
    assertThat(group.coveredResources()).containsExactly("cpu");
    assertThat(group.flavors().getFirst().quotas().get("cpu"))
        .isEqualTo(new ResourceGroup.Quota(1500, OptionalLong.empty(), OptionalLong.empty()));
  }

  @Test
  void theOtherKindsAreReadFromFieldsOfTheirSchemas() {
    ApiObject flavor =
        yaml(
            """
            spec:
              nodeLabels: {type: kwok}
              nodeTaints: [{key: a, value: b, effect: NoSchedule}]
              tolerations: [{key: a, operator: Exists, effect: NoSchedule}]
            """);
    ApiObject localQueue = yaml("spec: {clusterQueue: cq}");

    assertThat(unknownFields(Kinds.RESOURCE_FLAVOR, flavor)).isEmpty();
    assertThat(unknownFields(Kinds.LOCAL_QUEUE, localQueue)).isEmpty();
    assertThat(new ResourceFlavor(flavor).nodeLabels()).containsEntry("type", "kwok");
    assertThat(new ResourceFlavor(flavor).nodeTaints()).hasSize(1);
    assertThat(new ResourceFlavor(flavor).tolerations()).hasSize(1);
    assertThat(new LocalQueue(localQueue).clusterQueue()).isEqualTo("cq");
  }

  @Test
  void theTestItselfNoticesAFieldThatNoSchemaKnows() {
    assertThat(unknownFields(Kinds.LOCAL_QUEUE, yaml("spec: {clusterqueue: cq}")))
        .containsExactly("spec.clusterqueue");
  }

  private static ApiObject yaml(String text) {
    return ApiObject.of(Yaml.parseAll(text).getFirst());
  }

  private static List<String> unknownFields(ResourceKind kind, ApiObject object) {
    Tree definition =
        KueueDefinitions.all().stream()
            .filter(crd -> crd.name().equals(kind.qualifiedPlural()))
            .findFirst()
            .orElseThrow()
            .spec();
    assertThat(definition.text("scope")).isEqualTo(kind.namespaced() ? "Namespaced" : "Cluster");
    assertThat(definition.text("names", "kind")).isEqualTo(kind.kind());
    Tree version = definition.trees("versions").getFirst();
    assertThat(version.text("name")).isEqualTo(kind.version());
    var unknown = new ArrayList<String>();
    collectUnknown(
        version.tree("schema", "openAPIV3Schema"), object.tree().without("metadata"), "", unknown);
    return unknown;
  }

  private static void collectUnknown(Tree schema, Value value, String path, List<String> unknown) {
    if (schema.flag("x-kubernetes-preserve-unknown-fields")) {
      return;
    }
    switch (value) {
      case Tree tree ->
          tree.forEach((name, child) -> {
            String at = path.isEmpty() ? name : path + "." + name;
            if (schema.at("properties", name) instanceof Tree property) {
              collectUnknown(property, child, at, unknown);
            } else if (!schema.has("additionalProperties")) {
              unknown.add(at);
            }
          });
      case Items(List<Value> items) ->
          items.forEach(item -> collectUnknown(schema.tree("items"), item, path + "[]", unknown));
      case Value.Text _, Value.Whole _, Value.Decimal _, Value.Flag _, Value.Null _ -> {}
    }
  }
}
