package dev.sluice.apiserver.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.http.request.RequestPath.Objects;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class RequestPathTest {

  record Case(String path, RequestPath want) {}

  private static Objects of(
      String group, String version, String plural, String namespace, String name, String below) {
    return new Objects(group, version, plural, namespace, name, below, false);
  }

  static final List<Case> CASES =
      List.of(
          new Case("/", new RequestPath.Document("/")),
          new Case("/version", new RequestPath.Document("/version")),
          new Case("/api", new RequestPath.Document("/api")),
          new Case("/api/v1", new RequestPath.Document("/api/v1")),
          new Case("/apis/batch/v1", new RequestPath.Document("/apis/batch/v1")),
          new Case(
              "/openapi/v3/apis/batch/v1", new RequestPath.Document("/openapi/v3/apis/batch/v1")),
          new Case("/api/v1/pods", of("", "v1", "pods", "", "", "")),
          new Case("/api/v1/namespaces", of("", "v1", "namespaces", "", "", "")),
          new Case("/api/v1/namespaces/a", of("", "v1", "namespaces", "", "a", "")),
          new Case("/api/v1/namespaces/a/status", of("", "v1", "namespaces", "", "a", "status")),
          new Case(
              "/api/v1/namespaces/a/finalize", of("", "v1", "namespaces", "", "a", "finalize")),
          new Case("/api/v1/namespaces/a/pods", of("", "v1", "pods", "a", "", "")),
          new Case("/api/v1/namespaces/a/pods/p", of("", "v1", "pods", "a", "p", "")),
          new Case(
              "/api/v1/namespaces/a/pods/p/binding", of("", "v1", "pods", "a", "p", "binding")),
          new Case("/apis/batch/v1/namespaces/a/jobs/j", of("batch", "v1", "jobs", "a", "j", "")),
          new Case("/apis/x.io/v1/things/t%3A1", of("x.io", "v1", "things", "", "t:1", "")),
          new Case("/apis/x.io/v1/things/a+b", of("x.io", "v1", "things", "", "a+b", "")),
          new Case(
              "/api/v1/watch/namespaces/a/pods/p",
              new Objects("", "v1", "pods", "a", "p", "", true)));

  @ParameterizedTest
  @FieldSource("CASES")
  void parses(Case c) {
    assertThat(RequestPath.parse(c.path())).isEqualTo(c.want());
  }
}
