package dev.sluice.apiserver.http.request;

import static dev.sluice.apiserver.http.TestServer.CONFIG_MAPS;
import static dev.sluice.apiserver.http.TestServer.configMap;
import static dev.sluice.apiserver.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.sluice.apiserver.http.TestServer;
import dev.sluice.apiserver.protobuf.ProtobufDecoder;
import dev.sluice.model.tree.Tree;
import io.kubernetes.client.proto.Meta.WatchEvent;
import io.kubernetes.client.proto.Runtime.RawExtension;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The forms in which bodies are read and answers written. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepresentationsTest {
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

  private final TestServer server = TestServer.start();

  @BeforeEach
  void clean() {
    server.delete(CONFIG_MAPS);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void yamlIsReadAndWritten() {
    var created =
        server.send(
            server
                .request(CONFIG_MAPS)
                .header("Content-Type", "application/yaml")
                .header("Accept", "application/yaml")
                .POST(
                    BodyPublishers.ofString(
                        "{apiVersion: v1, kind: ConfigMap, metadata: {name: y}, data: {a: b}}")));

    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(created.headers().firstValue("Content-Type")).hasValue("application/yaml");
    assertThat(created.body()).contains("kind: ConfigMap");
  }

  /** The kind of the response to a client that accepts nothing but Protobuf. */
  private String protobuf(String path, String as) throws Exception {
    var request =
        server.request(path).header("Accept", "application/vnd.kubernetes.protobuf" + as).build();
    var response = server.admin().send(request, HttpResponse.BodyHandlers.ofByteArray());
    assertThat(response.headers().firstValue("Content-Type"))
        .as(path)
        .hasValue("application/vnd.kubernetes.protobuf");
    Tree decoded = ProtobufDecoder.decode(response.body());
    return "%d %s %s"
        .formatted(response.statusCode(), decoded.text("kind"), decoded.text("metadata", "name"));
  }

  @Test
  void clientThatAcceptsOnlyProtobufGetsItForBuiltInKinds() throws Exception {
    server.createConfigMap("a");

    assertThat(protobuf(CONFIG_MAPS + "/a", "")).isEqualTo("200 ConfigMap a");
    assertThat(protobuf(CONFIG_MAPS, "")).isEqualTo("200 ConfigMapList ");
    assertThat(protobuf(CONFIG_MAPS + "/b", "")).isEqualTo("404 Status ");
    assertThat(protobuf(CONFIG_MAPS + "/a", ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1"))
        .isEqualTo("200 PartialObjectMetadata a");
    assertThat(
            server
                .send(
                    server
                        .request(CONFIG_MAPS)
                        .header(
                            "Accept",
                            "application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1"))
                .statusCode())
        .isEqualTo(406);
  }

  @Test
  void watchInProtobufIsAStreamOfFrames() throws Exception {
    server.createConfigMap("a");
    var request =
        server
            .request(CONFIG_MAPS + "?watch=true&timeoutSeconds=1")
            .header("Accept", "application/vnd.kubernetes.protobuf;stream=watch")
            .build();

    var response = server.admin().send(request, HttpResponse.BodyHandlers.ofByteArray());
    ByteBuffer frame = ByteBuffer.wrap(response.body());
    assertThat(frame.getInt()).isEqualTo(frame.remaining());
    var event = DynamicMessage.parseFrom(WatchEvent.getDescriptor(), ByteString.copyFrom(frame));
    var object = (Message) event.getField(WatchEvent.getDescriptor().findFieldByName("object"));
    var raw = (ByteString) object.getField(RawExtension.getDescriptor().findFieldByName("raw"));

    assertThat(response.headers().firstValue("Content-Type"))
        .hasValue("application/vnd.kubernetes.protobuf;stream=watch");
    assertThat(event.getField(WatchEvent.getDescriptor().findFieldByName("type")))
        .isEqualTo("ADDED");
    assertThat(ProtobufDecoder.decode(raw.toByteArray()).text("metadata", "name")).isEqualTo("a");
  }

  @Test
  void protobufIsRead() {
    // The ConfigMap "pb" with a=b, as kubectl create configmap sends it.
    byte[] body =
        Base64.getDecoder()
            .decode("azhzAAoPCgJ2MRIJQ29uZmlnTWFwEhwKEgoCcGISABoAIgAqADIAOABCABIGCgFhEgFi");
    var created =
        server.send(
            server
                .request(CONFIG_MAPS)
                .header("Content-Type", "application/vnd.kubernetes.protobuf")
                .header("Accept", "application/vnd.kubernetes.protobuf,application/json")
                .POST(BodyPublishers.ofByteArray(body)));

    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    assertThat(tree(created).text("data", "a")).isEqualTo("b");
  }

  @Test
  void tablesIncludeWhatIsAskedFor() {
    server.createConfigMap("a");

    assertThat(row("").text("object", "kind")).isEqualTo("PartialObjectMetadata");
    assertThat(row("?includeObject=Object").text("object", "kind")).isEqualTo("ConfigMap");
    assertThat(row("?includeObject=None").tree("object").isEmpty()).isTrue();
    assertThat(row("/a").items("cells").getFirst().asText()).isEqualTo("a");
  }

  private Tree row(String suffix) {
    var response = server.send(server.request(CONFIG_MAPS + suffix).header("Accept", TABLE));
    return tree(response).trees("rows").getFirst();
  }

  @Test
  void metadataAloneCanBeAskedFor() {
    server.createConfigMap("a");
    String meta = "application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadata";

    Tree one = tree(server.send(server.request(CONFIG_MAPS + "/a").header("Accept", meta)));
    Tree list = tree(server.send(server.request(CONFIG_MAPS).header("Accept", meta + "List")));

    assertThat(one.names()).containsExactly("apiVersion", "kind", "metadata");
    assertThat(list.text("kind")).isEqualTo("PartialObjectMetadataList");
    assertThat(list.trees("items").getFirst().text("metadata", "name")).isEqualTo("a");
  }

  @Test
  void answersArePrettyForPeople() {
    server.createConfigMap("a");

    assertThat(server.get(CONFIG_MAPS + "/a").body()).doesNotContain("\n");
    assertThat(server.get(CONFIG_MAPS + "/a?pretty=true").body()).contains("\n  ");
    assertThat(
            server.send(server.request(CONFIG_MAPS + "/a").header("User-Agent", "curl/8")).body())
        .contains("\n  ");
  }

  @Test
  void largeAnswersAreCompressedForThoseWhoReadThat() throws Exception {
    server.post(CONFIG_MAPS, configMap("big").with(List.of("data", "key"), "x".repeat(200 * 1024)));
    var zipped =
        server
            .admin()
            .send(
                server.request(CONFIG_MAPS).header("Accept-Encoding", "gzip").build(),
                HttpResponse.BodyHandlers.ofByteArray());

    assertThat(zipped.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(zipped.body().length).isLessThan(10 * 1024);
    assertThat(server.get(CONFIG_MAPS).headers().firstValue("Content-Encoding")).isEmpty();
  }
}
