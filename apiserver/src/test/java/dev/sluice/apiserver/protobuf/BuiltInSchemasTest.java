package dev.sluice.apiserver.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.sluice.apiserver.schema.ListType;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.apiserver.schema.Type;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuiltInSchemasTest {

  @ParameterizedTest
  @CsvSource({
    "v1,Pod",
    "v1,Node",
    "v1,Namespace",
    "v1,ConfigMap",
    "v1,Secret",
    "v1,ServiceAccount",
    "v1,Event",
    "batch/v1,Job",
    "batch/v1,CronJob",
    "coordination.k8s.io/v1,Lease",
    "scheduling.k8s.io/v1,PriorityClass",
    "apiextensions.k8s.io/v1,CustomResourceDefinition",
    "rbac.authorization.k8s.io/v1,ClusterRole",
    "resource.k8s.io/v1,ResourceClaim",
    "autoscaling/v2,HorizontalPodAutoscaler"
  })
  void everyBuiltInKindHasOne(String apiVersion, String kind) {
    Schema schema = BuiltInSchemas.find(apiVersion, kind).orElseThrow();

    assertThat(schema.properties()).containsKeys("apiVersion", "kind", "metadata");
    assertThat(BuiltInSchemas.find(apiVersion, kind).orElseThrow()).isSameAs(schema);
  }

  @Test
  void partsOfObjectsAndStrangersAreNoKinds() {
    assertThat(BuiltInSchemas.find("v1", "PodSpec")).isEmpty();
    assertThat(BuiltInSchemas.find("kueue.x-k8s.io/v1beta1", "Workload")).isEmpty();
  }

  @Test
  void aRealPodPassesWhole() {
    Tree pod =
        tree(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p, creationTimestamp: "2024-01-01T00:00:00Z", labels: {a: b}, managedFields: [{fieldsV1: {"f:spec": {}}}]}
            spec:
              volumes:
              - {name: v, emptyDir: {sizeLimit: 1Gi}}
              - {name: c, configMap: {name: cm, optional: true}}
              - {name: j, projected: {sources: [{secret: {name: s}}, {downwardAPI: {items: []}}]}}
              containers:
              - name: c
                env: [{name: E, valueFrom: {configMapKeyRef: {name: cm, key: k}}}, {name: F, valueFrom: {secretKeyRef: {name: s, key: k}}}]
                envFrom: [{configMapRef: {name: cm}}]
                ports: [{containerPort: 80, protocol: TCP}]
                resources: {requests: {cpu: 0.5, memory: 1Gi, nvidia.com/gpu: 1}}
                readinessProbe: {httpGet: {port: http}, periodSeconds: 3}
                livenessProbe: {exec: {command: [x]}}
              ephemeralContainers: [{name: e, image: i, targetContainerName: c}]
              topologySpreadConstraints: [{topologyKey: z, labelSelector: {matchLabels: {a: b}}}]
            """);
    Schema schema = BuiltInSchemas.find("v1", "Pod").orElseThrow();

    var pruned = schema.prune(pod);

    assertThat(pruned.dropped()).isEmpty();
    assertThat(schema.validate(pod)).isEmpty();
  }

  @Test
  void unknownFieldsAndWrongTypesAreFound() {
    Tree job =
        tree(
            "{metadata: {nam: x}, spec: {parallelism: two, template: {spec: {containers:"
                + " [{volumeSource: {}}]}}}}");
    Schema schema = BuiltInSchemas.find("batch/v1", "Job").orElseThrow();

    assertThat(schema.prune(job).dropped())
        .containsExactly("metadata.nam", "spec.template.spec.containers[0].volumeSource");
    assertThat(schema.validate(job)).extracting("field").containsExactly("spec.parallelism");
  }

  @Test
  void schemasInsideCrdsAreLeftAlone() {
    Tree crd =
        tree(
            "{spec: {versions: [{name: v1, schema: {openAPIV3Schema: {type: object, x-any: {thing:"
                + " 1}}}}], odd: 1}}");

    assertThat(
            BuiltInSchemas.find("apiextensions.k8s.io/v1", "CustomResourceDefinition")
                .orElseThrow()
                .prune(crd)
                .dropped())
        .containsExactly("spec.odd");
  }

  @Test
  void theTableSaysHowListsAndMapsMerge() {
    Schema podSpec =
        at(BuiltInSchemas.find("batch/v1", "Job").orElseThrow(), "spec", "template", "spec");

    Schema ports = at(at(podSpec, "containers").items().orElseThrow(), "ports");
    assertThat(ports.listType()).isEqualTo(ListType.MAP);
    assertThat(ports.listMapKeys()).containsExactly("containerPort", "protocol");
    assertThat(ports.patchMergeKey()).isEqualTo("containerPort");
    assertThat(at(ports.items().orElseThrow(), "protocol").defaultValue())
        .contains(Value.of("TCP"));
    assertThat(at(podSpec, "tolerations").patchMerges()).isFalse();
    assertThat(at(podSpec, "nodeSelector").atomicMap()).isTrue();
    assertThat(BuiltInSchemas.objectMeta().field("finalizers").orElseThrow().listType())
        .isEqualTo(ListType.SET);
    assertThat(at(podSpec, "volumes").items().orElseThrow().properties())
        .containsKeys("name", "emptyDir")
        .doesNotContainKey("volumeSource");
    assertThat(
            at(
                    BuiltInSchemas.find("apps/v1", "Deployment").orElseThrow(),
                    "spec",
                    "strategy",
                    "rollingUpdate",
                    "maxSurge")
                .type())
        .isEqualTo(Type.INT_OR_STRING);
  }

  /** A misspelt row would silently do nothing. */
  @Test
  void everyRowOfEveryTableNamesAFieldOfAMessage() {
    Set<String> known = new TreeSet<>();
    for (FileDescriptor file : Messages.files()) {
      addFields(file, known);
      file.getDependencies().forEach(dependency -> addFields(dependency, known));
    }

    assertThat(known)
        .containsAll(MergeTable.fields())
        .containsAll(JsonShape.fields())
        .containsAll(ZeroValues.fields());
  }

  private static void addFields(FileDescriptor file, Set<String> known) {
    for (Descriptor message : file.getMessageTypes()) {
      for (FieldDescriptor field : message.getFields()) {
        known.add(JsonShape.key(field));
        known.add(message.getName() + "." + JsonShape.name(field));
      }
    }
  }

  private static Schema at(Schema schema, String... path) {
    Schema found = schema;
    for (String name : path) {
      found = found.field(name).orElseThrow();
    }
    return found;
  }

  private static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }

  @Test
  void everyFieldOfAJobHasItsDescription() {
    Tree job = BuiltInSchemas.described("batch/v1", "Job").orElseThrow();

    assertThat(job.text("description"))
        .isEqualTo("Job represents the configuration of a single job.");
    assertThat(undescribed("", job)).isEmpty();
  }

  private static List<String> undescribed(String path, Tree schema) {
    var missing = new ArrayList<String>();
    Tree fields = schema.tree("properties");
    for (String name : fields.names()) {
      String at = path + "." + name;
      if (fields.tree(name).text("description").isEmpty()) {
        missing.add(at);
      }
      missing.addAll(undescribed(at, fields.tree(name)));
      missing.addAll(undescribed(at + "[]", fields.tree(name, "items")));
    }
    return missing;
  }
}
