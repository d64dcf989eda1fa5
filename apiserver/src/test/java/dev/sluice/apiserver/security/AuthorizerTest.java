package dev.sluice.apiserver.security;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.apiserver.security.Authorizer.Access;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuthorizerTest {
  private static final User ADMIN = new User("root", List.of(User.MASTERS));
  private static final User SOMEBODY = new User("ann", List.of("team", User.AUTHENTICATED));

  private final Authorizer authorizer = new Authorizer();

  @Test
  void mastersMayDoEverything() {
    var access = new Access("delete", "", "namespaces", "", "", "kube-system");

    assertThatCode(() -> authorizer.check(ADMIN, access)).doesNotThrowAnyException();
    assertThatCode(() -> authorizer.checkPath(ADMIN, "get", "/apis")).doesNotThrowAnyException();
  }

  @Test
  void refusalNamesWhatIsForbidden() {
    assertThatThrownBy(() ->
            authorizer.check(SOMEBODY, new Access("get", "batch", "jobs", "status", "dev", "x")))
        .hasMessage(
            "jobs.batch \"x\" is forbidden: User \"ann\" cannot get resource \"jobs/status\" in"
                + " API group \"batch\" in the namespace \"dev\"");
    assertThatThrownBy(
            () -> authorizer.check(SOMEBODY, new Access("list", "", "nodes", "", "", "")))
        .hasMessage(
            "nodes is forbidden: User \"ann\" cannot list resource \"nodes\" in API group \"\" at"
                + " the cluster scope");
  }

  @Test
  void versionAndHealthAreOpenToAllButOnlyForReading() {
    for (String path : List.of("/version", "/healthz", "/livez/ping", "/readyz")) {
      assertThatCode(() -> authorizer.checkPath(User.ANONYMOUS, "get", path))
          .doesNotThrowAnyException();
      assertThatThrownBy(() -> authorizer.checkPath(User.ANONYMOUS, "post", path))
          .hasMessageContaining("cannot post path");
    }
    for (String path : List.of("/api", "/openapi/v3", "/versions", "/")) {
      assertThatThrownBy(() -> authorizer.checkPath(User.ANONYMOUS, "get", path))
          .hasMessage(
              "forbidden: User \"system:anonymous\" cannot get path \"%s\"".formatted(path));
    }
  }
}
