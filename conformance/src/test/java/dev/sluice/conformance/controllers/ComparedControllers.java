package dev.sluice.conformance.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.ApiClient;
import dev.sluice.conformance.ApiClient.Response;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.TwoServers;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.LiveDriver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;

/**
 * The same requests to Kubernetes with its controllers and to our server with ours: both must
 * refuse alike, and come to the same objects and events.
 */
abstract class ComparedControllers {
  static final String NAMESPACE = "compared";

  final TwoServers servers;
  private final LiveDriver driver;

  /**
   * @param controllers those of ours, which run from now on
   */
  ComparedControllers(
      RealKubernetes kubernetes, Path folder, Function<Cluster, List<Controller>> controllers)
      throws IOException {
    this.servers = new TwoServers(kubernetes, folder);
    Cluster cluster = servers.cluster();
    this.driver = new LiveDriver(cluster, controllers.apply(cluster));
    driver.start();
    String namespace =
        "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(NAMESPACE);
    for (ApiClient client : List.of(servers.real, servers.ours)) {
      // Kubernetes may have it from another test.
      assertThat(send(client, "POST", "/api/v1/namespaces", namespace).code()).isIn(201, 409);
    }
  }

  @AfterAll
  void close() {
    driver.close();
    servers.close();
  }

  static Response send(ApiClient client, String method, String path, String yaml) {
    boolean patch = method.equals("PATCH");
    String body = yaml.isEmpty() ? "" : Json.write(Yaml.parseAll(yaml).getFirst());
    return client.send(method, path, patch ? TwoServers.MERGE : TwoServers.JSON, body);
  }

  /** Sends a request to both, which must give it the same code and find the same faults in it. */
  final void both(String method, String path, String yaml) {
    Response expected = send(servers.real, method, path, yaml);
    Response answered = send(servers.ours, method, path, yaml);

    String what = "%s %s %s: %s".formatted(method, path, yaml, expected.body());
    assertThat(answered.code()).as(what).isEqualTo(expected.code());
    if (expected.code() >= 300) {
      assertThat(causes(answered)).as(what).isEqualTo(causes(expected));
    }
  }

  private static Set<String> causes(Response answer) {
    var causes = new TreeSet<String>();
    for (Tree cause : answer.body().trees("details", "causes")) {
      causes.add(cause.text("field") + ": " + cause.text("message"));
    }
    return causes;
  }

  /** The events of an object. */
  static Set<String> told(ApiClient client, String name) {
    var told = new TreeSet<String>();
    for (Tree event :
        send(client, "GET", "/api/v1/namespaces/" + NAMESPACE + "/events", "")
            .body()
            .trees("items")) {
      if (event.text("involvedObject", "name").equals(name)) {
        told.add(
            "%s %s: %s by %s"
                .formatted(
                    event.text("type"),
                    event.text("reason"),
                    event.text("message"),
                    event.text("source", "component")));
      }
    }
    return told;
  }
}
