package dev.sluice.apiserver.protobuf;

import static dev.sluice.apiserver.protobuf.ProtobufBodies.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import io.kubernetes.client.proto.IntStr.IntOrString;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Resource.Quantity;
import io.kubernetes.client.proto.Runtime.RawExtension;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps.ControllerRevision;
import io.kubernetes.client.proto.V1Batch.Job;
import io.kubernetes.client.proto.V1Batch.JobSpec;
import io.kubernetes.client.proto.V1Batch.JobStatus;
import io.kubernetes.client.proto.V1Coordination.Lease;
import io.kubernetes.client.proto.V1Coordination.LeaseSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ProtobufDecoderTest {

  @Test
  void aConfigMapAsKubectlSendsIt() {
    String envelope = "6b387300" + "0a0f" + "0a02" + hex("v1") + "1209" + hex("ConfigMap") + "1220";
    String metadata =
        "0a16" + "0a04" + hex("pbcm") + "1200" + "1a02" + hex("t3") + "22002a00320038004200";
    String data = "1206" + "0a01" + hex("a") + "1201" + hex("b");
    String encodings = "1a002200";

    Tree decoded =
        ProtobufDecoder.decode(HexFormat.of().parseHex(envelope + metadata + data + encodings));

    assertThat(decoded)
        .isEqualTo(
            tree(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: pbcm, namespace: t3}, data: {a:"
                    + " b}}"));
  }

  @Test
  void aNamespaceKeepsItsEmptyParts() {
    var namespace =
        V1.Namespace.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .setName("n")
                    .setCreationTimestamp(Meta.Time.getDefaultInstance()))
            .setSpec(V1.NamespaceSpec.getDefaultInstance())
            .setStatus(V1.NamespaceStatus.newBuilder().setPhase(""))
            .build();

    assertThat(decode("v1", "Namespace", namespace))
        .isEqualTo(
            tree("{apiVersion: v1, kind: Namespace, metadata: {name: n}, spec: {}, status: {}}"));
  }

  @Test
  void aJobKeepsTheZerosThatCount() {
    var container =
        V1.Container.newBuilder()
            .setName("c")
            .setStdin(false)
            .addCommand("")
            .setResources(
                V1.ResourceRequirements.newBuilder()
                    .putRequests("cpu", Quantity.newBuilder().setString("500m").build())
                    .putLimits("memory", Quantity.getDefaultInstance()))
            .setReadinessProbe(
                V1.Probe.newBuilder()
                    .setHandler(
                        V1.ProbeHandler.newBuilder()
                            .setHttpGet(
                                V1.HTTPGetAction.newBuilder()
                                    .setPort(
                                        IntOrString.newBuilder().setType(1).setStrVal("http"))))
                    .setPeriodSeconds(0))
            .setLivenessProbe(
                V1.Probe.newBuilder()
                    .setHandler(
                        V1.ProbeHandler.newBuilder()
                            .setTcpSocket(
                                V1.TCPSocketAction.newBuilder()
                                    .setPort(IntOrString.newBuilder().setType(0).setIntVal(80)))))
            .build();
    var job =
        Job.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder().setName("j").putLabels("queue", "").setGeneration(0))
            .setSpec(
                JobSpec.newBuilder()
                    .setParallelism(0)
                    .setSuspend(false)
                    .setTemplate(
                        V1.PodTemplateSpec.newBuilder()
                            .setSpec(
                                V1.PodSpec.newBuilder()
                                    .setHostNetwork(false)
                                    .addContainers(container)
                                    .addVolumes(
                                        V1.Volume.newBuilder()
                                            .setName("v")
                                            .setVolumeSource(
                                                V1.VolumeSource.newBuilder()
                                                    .setEmptyDir(
                                                        V1.EmptyDirVolumeSource
                                                            .getDefaultInstance()))))))
            .setStatus(JobStatus.newBuilder().setActive(0).setReady(0))
            .build();

    assertThat(decode("batch/v1", "Job", job))
        .isEqualTo(
            tree(
                """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: j, labels: {queue: ""}}
                spec:
                  parallelism: 0
                  suspend: false
                  template:
                    spec:
                      containers:
                      - name: c
                        command: [""]
                        resources: {requests: {cpu: 500m}, limits: {memory: "0"}}
                        readinessProbe: {httpGet: {port: http}}
                        livenessProbe: {tcpSocket: {port: 80}}
                      volumes: [{name: v, emptyDir: {}}]
                status: {ready: 0}
                """));
  }

  @Test
  void aLeaseHasMicroseconds() {
    var lease =
        Lease.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .setName("l")
                    .setDeletionTimestamp(Meta.Time.newBuilder().setSeconds(0).setNanos(0)))
            .setSpec(
                LeaseSpec.newBuilder()
                    .setLeaseTransitions(0)
                    .setRenewTime(
                        Meta.MicroTime.newBuilder().setSeconds(1_700_000_000).setNanos(12_345_678)))
            .build();

    assertThat(decode("coordination.k8s.io/v1", "Lease", lease))
        .isEqualTo(
            tree(
                "{apiVersion: coordination.k8s.io/v1, kind: Lease,"
                    + " metadata: {name: l, deletionTimestamp: '1970-01-01T00:00:00Z'},"
                    + " spec: {leaseTransitions: 0, renewTime: '2023-11-14T22:13:20.012345Z'}}"));
  }

  @Test
  void aSecretIsBase64AndEmbeddedJsonIsJson() {
    var secret = V1.Secret.newBuilder().putData("k", ByteString.copyFromUtf8("hi")).build();
    var revision =
        ControllerRevision.newBuilder().setRevision(0).setData(raw("{\"a\": [1]}")).build();

    assertThat(decode("v1", "Secret", secret))
        .isEqualTo(tree("{apiVersion: v1, kind: Secret, data: {k: aGk=}}"));
    assertThat(decode("apps/v1", "ControllerRevision", revision))
        .isEqualTo(
            tree("{apiVersion: apps/v1, kind: ControllerRevision, data: {a: [1]}, revision: 0}"));
  }

  @Test
  void deleteOptionsComeUnderTheVersionOfWhatIsDeleted() {
    var options =
        Meta.DeleteOptions.newBuilder()
            .setGracePeriodSeconds(0)
            .setPropagationPolicy("Background")
            .setPreconditions(Meta.Preconditions.newBuilder().setUid("u"))
            .build();

    assertThat(decode("batch/v1", "DeleteOptions", options))
        .isEqualTo(
            tree(
                "{apiVersion: batch/v1, kind: DeleteOptions, gracePeriodSeconds: 0,"
                    + " propagationPolicy: Background, preconditions: {uid: u}}"));
    assertThat(decode("v1", "DeleteOptions", Meta.DeleteOptions.getDefaultInstance()))
        .isEqualTo(tree("{apiVersion: v1, kind: DeleteOptions}"));
  }

  @Test
  void objectsInsideAnObjectMayBeProtobufThemselvesButNotWithoutEnd() {
    var inner = body("v1", "Pod", V1.Pod.getDefaultInstance());
    for (int i = 0; i < 4; i++) {
      inner = body("apps/v1", "ControllerRevision", revision(inner));
    }
    byte[] deepest = inner;

    assertThat(ProtobufDecoder.decode(deepest).text("data", "data", "data", "data", "kind"))
        .isEqualTo("Pod");
    assertThat(refusal(body("apps/v1", "ControllerRevision", revision(deepest))))
        .hasMessageContaining("nested more than 4 levels deep");
  }

  private static ControllerRevision revision(byte[] data) {
    return ControllerRevision.newBuilder()
        .setData(RawExtension.newBuilder().setRaw(ByteString.copyFrom(data)))
        .build();
  }

  @Test
  void whatHasNoMessageIsRefused() {
    byte[] workload = body("kueue.x-k8s.io/v1beta1", "Workload", V1.Pod.getDefaultInstance());

    assertThat(refusal(workload).failure().reason()).isEqualTo(Reason.UNSUPPORTED_MEDIA_TYPE);
    assertThat(refusal(workload))
        .hasMessage(
            "a Protobuf body is not taken here for kind \"Workload\" of \"kueue.x-k8s.io/v1beta1\";"
                + " send JSON");
  }

  @Test
  void malformedBytesAreRefused() {
    byte[] whole =
        body(
            "v1",
            "Pod",
            V1.Pod.newBuilder().setSpec(V1.PodSpec.newBuilder().setNodeName("n")).build());
    byte[] cut = Arrays.copyOf(whole, whole.length - 2);
    // Read as a Pod, the text of this kind says that 122 bytes follow.
    byte[] notAPod = body("v1", "Pod", Meta.TypeMeta.newBuilder().setKind("zzz").build());
    var notJson = ControllerRevision.newBuilder().setData(raw("{")).build();

    assertThat(refusal(cut).is(Reason.BAD_REQUEST)).isTrue();
    assertThat(refusal(cut)).hasMessageContaining("holds a malformed Unknown");
    assertThat(refusal(notAPod)).hasMessageContaining("holds a malformed Pod");
    assertThat(refusal("{}".getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("does not start with");
    assertThat(refusal(body("apps/v1", "ControllerRevision", notJson)))
        .hasMessageContaining("embedded JSON cannot be read");
  }

  private static RawExtension raw(String json) {
    return RawExtension.newBuilder().setRaw(ByteString.copyFromUtf8(json)).build();
  }

  private static Tree decode(String apiVersion, String kind, MessageLite message) {
    return ProtobufDecoder.decode(body(apiVersion, kind, message));
  }

  private static ApiException refusal(byte[] body) {
    return catchThrowableOfType(ApiException.class, () -> ProtobufDecoder.decode(body));
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(ByteString.copyFromUtf8(text).toByteArray());
  }

  private static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }
}
