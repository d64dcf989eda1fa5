package dev.sluice.apiserver.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import io.kubernetes.client.proto.Meta.WatchEvent;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Responses in Protobuf. */
class ProtobufEncoderTest {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: p
        labels: {a: b}
        creationTimestamp: '2026-01-01T00:00:00Z'
        generation: 1
        managedFields:
        - {manager: m, operation: Update, fieldsType: FieldsV1, fieldsV1: {'f:a': {}}}
      spec:
        containers:
        - name: main
          image: i
          env: [{name: E, valueFrom: {configMapKeyRef: {name: c, key: k, optional: true}}}]
          resources: {requests: {cpu: 500m}}
          livenessProbe: {httpGet: {port: web, path: /}, periodSeconds: 3}
          ports: [{containerPort: 80, name: web}]
        volumes: [{name: v, emptyDir: {sizeLimit: 1Gi}}]
        terminationGracePeriodSeconds: 0
      status: {phase: Running}
      """;

  static final List<String> OBJECTS =
      List.of(
          POD,
          "{apiVersion: v1, kind: PodList, metadata: {resourceVersion: '7'}, items: [{metadata:"
              + " {name: a}}, {metadata: {name: b}}]}",
          "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {k: AAEC}, type: Opaque}",
          "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {parallelism: 0, suspend:"
              + " false, backoffLimitPerIndex: 2}}",
          "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec:"
              + " {minAvailable: 50%}}",
          "{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: l}, spec: {renewTime:"
              + " '2026-01-01T00:00:00.123456Z'}}",
          "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name:"
              + " c}, spec: {versions: [{name: v1, schema: {openAPIV3Schema: {type: object,"
              + " x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: string,"
              + " default: a, enum: [a, b]}, properties: {n: {type: array, items: {type: number,"
              + " maximum: 1.5}}}}}}]}}",
          "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: s}, spec: {replicas: 3}}",
          "{apiVersion: v1, kind: Status, metadata: {}, status: Failure, message: m, reason:"
              + " NotFound, code: 404, details: {name: a, kind: pods}}",
          "{apiVersion: meta.k8s.io/v1, kind: PartialObjectMetadata, metadata: {name: a}}");

  @ParameterizedTest
  @FieldSource("OBJECTS")
  void clientReadsWhatWasEncoded(String yaml) {
    Tree object = Yaml.parseAll(yaml).getFirst().asTree();

    assertThat(ProtobufDecoder.decode(ProtobufEncoder.encode(object))).isEqualTo(object);
  }

  @Test
  void eventIsAFrameWithItsLength() throws Exception {
    Tree pod = Yaml.parseAll(POD).getFirst().asTree();

    ByteBuffer frame = ByteBuffer.wrap(ProtobufEncoder.frame("ADDED", pod));
    assertThat(frame.getInt()).isEqualTo(frame.remaining());
    var event =
        new MessageFields(
            DynamicMessage.parseFrom(WatchEvent.getDescriptor(), ByteString.copyFrom(frame)));
    var object = new MessageFields(event.message("object"));

    assertThat(event.text("type")).isEqualTo("ADDED");
    assertThat(ProtobufDecoder.decode(object.bytes("raw").toByteArray())).isEqualTo(pod);
  }
}
