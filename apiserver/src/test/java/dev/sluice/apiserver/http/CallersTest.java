package dev.sluice.apiserver.http;

import static dev.sluice.apiserver.http.TestServer.CONFIG_MAPS;
import static dev.sluice.apiserver.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import java.net.http.HttpClient;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Who asks, and what that lets one see. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CallersTest {
  private final TestServer server = TestServer.start();

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void callersCanAskAboutThemselves() {
    Tree who = Tree.of("apiVersion", "authentication.k8s.io/v1", "kind", "SelfSubjectReview");
    Tree may = Tree.of("apiVersion", "authorization.k8s.io/v1", "kind", "SelfSubjectAccessReview");

    var name = server.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", who);
    var allowed = server.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", may);

    assertThat(name.statusCode()).isEqualTo(201);
    assertThat(tree(name).text("status", "userInfo", "username")).isEqualTo("sluice-admin");
    assertThat(tree(allowed).flag("status", "allowed")).isTrue();
  }

  @Test
  void anonymousCallerReadsOnlyVersionAndHealth() {
    var anonymous = server.client(Optional.empty(), HttpClient.Version.HTTP_2);
    var stranger =
        server.client(
            Optional.of(server.certificates.authority().issueClient("ann", "team", Instant.now())),
            HttpClient.Version.HTTP_2);

    assertThat(code(anonymous, "/version")).isEqualTo(200);
    assertThat(code(anonymous, "/healthz")).isEqualTo(200);
    assertThat(code(anonymous, "/api")).isEqualTo(403);
    assertThat(code(anonymous, CONFIG_MAPS)).isEqualTo(403);
    assertThat(code(stranger, CONFIG_MAPS)).isEqualTo(403);
    assertThat(code(stranger, "/no/such/thing")).isEqualTo(403);
    var token = server.request("/healthz").header("Authorization", "Bearer x");
    assertThat(TestServer.send(anonymous, token).statusCode()).isEqualTo(401);
    anonymous.close();
    stranger.close();
  }

  @Test
  void impersonationIsRefused() {
    var response =
        server.send(server.request(CONFIG_MAPS).header("Impersonate-User", "system:anonymous"));

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(tree(response).text("message")).contains("impersonation is not supported");
  }

  private int code(HttpClient client, String path) {
    return TestServer.send(client, server.request(path)).statusCode();
  }
}
