package dev.sluice.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.http.ApiServer.Extras;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.ContainerLogs;
import dev.sluice.runtime.ContainerSessions;
import dev.sluice.runtime.MetricPages;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.util.List;

/**
 * A server with pods: {@code one} and {@code idle} on the node {@code local}, which a test plays,
 * {@code elsewhere} on a node that nobody plays, and {@code unbound} on none.
 */
public final class PodServer implements AutoCloseable {
  public static final String PODS = "/api/v1/namespaces/default/pods";

  public final TestServer server;

  public PodServer(ContainerLogs logs, ContainerSessions sessions) {
    server = TestServer.start(new Extras(List.of(), () -> "", logs, sessions, MetricPages.NONE));
    create("one", "nodeName: local, containers: [{name: main, image: b}]");
    create("idle", "nodeName: local, containers: [{name: idle, image: b}]");
    create("elsewhere", "nodeName: fake, containers: [{name: main, image: b}]");
    create("unbound", "containers: [{name: main, image: b}]");
  }

  public void create(String name, String spec) {
    Tree pod =
        Yaml.parseAll(
                "{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {%s}}"
                    .formatted(name, spec))
            .getFirst()
            .asTree();
    HttpResponse<String> response = server.post(PODS, pod);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
  }

  /** Asks for something of the pods, such as {@code /one/log}. */
  public HttpResponse<String> get(String path) {
    return server.get(PODS + path);
  }

  /** The same, as clients do that can only speak SPDY. */
  public HttpResponse<String> post(String path) {
    return server.post(PODS + path, Tree.EMPTY);
  }

  /** Begins a talk, in one of these protocols. */
  public WebSocket connect(SocketClient client, String path, String protocol, String... others) {
    URI uri = URI.create("wss://127.0.0.1:" + server.server.port() + PODS + path);
    return server
        .admin()
        .newWebSocketBuilder()
        .subprotocols(protocol, others)
        .buildAsync(uri, client)
        .join();
  }

  @Override
  public void close() {
    server.close();
  }
}
