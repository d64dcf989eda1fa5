package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Json;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TreeConversionTest {
  private static final KubernetesSerialization CLIENT = TreeConversion.serialization();

  private static final String POD =
      """
      {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
          "name": "trainer-0",
          "generateName": "trainer-",
          "namespace": "team-a",
          "uid": "7d2f",
          "resourceVersion": "4711",
          "generation": 3,
          "creationTimestamp": "2026-01-01T00:00:00Z",
          "deletionTimestamp": "2026-01-01T00:00:30Z",
          "deletionGracePeriodSeconds": 30,
          "labels": {"app": "trainer", "kueue.x-k8s.io/queue-name": "main"},
          "annotations": {"note": ""},
          "finalizers": ["batch.kubernetes.io/job-tracking"],
          "ownerReferences": [
            {"apiVersion": "batch/v1", "kind": "Job", "name": "trainer", "uid": "1a",
             "controller": true, "blockOwnerDeletion": false, "futureField": "kept"}
          ],
          "futureField": {"kept": [1, 2]}
        },
        "spec": {
          "priority": -7,
          "large": 9007199254740993,
          "beyond": 123456789012345678901234567890,
          "ratio": 1.10,
          "tiny": 1e-3,
          "flag": false,
          "empty": {},
          "none": [],
          "text": "ünï",
          "containers": [{"name": "main", "resources": {"requests": {"cpu": "500m"}}}],
          "mixed": [1, "two", 3.5, true, null, {"a": []}]
        },
        "status": {"phase": "Running"},
        "topLevelUnknown": [{"x": 1}]
      }
      """;

  private static ApiObject parsed(String json) {
    return ApiObject.of(Json.parse(json));
  }

  @Test
  void anObjectFromAListLosesNothing() {
    var resource = CLIENT.unmarshal(POD, GenericKubernetesResource.class);

    assertThat(TreeConversion.object(resource)).isEqualTo(parsed(POD));
  }

  @Test
  void anObjectFromAWatchLosesNothing() {
    var event =
        CLIENT.unmarshal("{\"type\": \"ADDED\", \"object\": " + POD + "}", WatchEvent.class);

    assertThat(event.getObject()).isInstanceOf(GenericKubernetesResource.class);
    assertThat(TreeConversion.object((GenericKubernetesResource) event.getObject()))
        .isEqualTo(parsed(POD));
  }

  @Test
  void anObjectFromAnAnswerLosesNothing() {
    var answer = Json.parseTree(POD.getBytes(StandardCharsets.UTF_8));

    assertThat(TreeConversion.object(answer)).isEqualTo(parsed(POD));
  }

  @Test
  void fieldsThatAreNullAndManagedFieldsAreLeftOutBothWays() {
    String full =
        """
        {"apiVersion": "v1", "kind": "ConfigMap",
         "metadata": {"name": "a", "creationTimestamp": null,
                      "managedFields": [{"manager": "kubectl", "fieldsV1": {"f:data": {}}}]},
         "spec": {"template": {"metadata": {"creationTimestamp": null}}},
         "data": null}
        """;
    String lean =
        """
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"},
         "spec": {"template": {"metadata": {}}}}
        """;

    var resource = CLIENT.unmarshal(full, GenericKubernetesResource.class);
    var answer = Json.parseTree(full.getBytes(StandardCharsets.UTF_8));

    assertThat(TreeConversion.object(resource)).isEqualTo(parsed(lean));
    assertThat(TreeConversion.object(answer)).isEqualTo(parsed(lean));
  }

  @Test
  void theClientStillKnowsAStatusWhenAWatchEndsWithOne() {
    var event =
        CLIENT.unmarshal(
            """
            {"type": "ERROR", "object":
              {"apiVersion": "v1", "kind": "Status", "code": 410, "reason": "Expired"}}
            """,
            WatchEvent.class);

    assertThat(event.getObject()).isInstanceOf(Status.class);
  }
}
