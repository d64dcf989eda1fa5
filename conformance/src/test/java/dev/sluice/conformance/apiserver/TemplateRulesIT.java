package dev.sluice.conformance.apiserver;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.TwoServers;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Jobs with the same templates, good and bad, for our API server and the real one: both complete
 * the same templates in the same way, and refuse the others for the same fields.
 */
@RequiresKubernetes
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TemplateRulesIT {
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs?dryRun=All";

  private final TwoServers servers;

  TemplateRulesIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    this.servers = new TwoServers(kubernetes, folder);
  }

  @AfterAll
  void close() {
    servers.close();
  }

  private void create(Tree podSpec) {
    Tree good =
        TwoServers.yaml(
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: j}
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers: [{name: main, image: "busybox:1.36"}]
            """);
    Tree template = Tree.of("template", Tree.of("spec", podSpec));
    Tree job = MergePatch.apply(good, Tree.of("spec", template));
    servers.ask("POST", JOBS, TwoServers.JSON, job, answered -> List.of(TwoServers.spec(answered)));
  }

  /** A spec with one entry in a list, which has its usual fields unless others are given. */
  private static Tree spec(String list, String usual, String fields) {
    Tree entry = MergePatch.apply(TwoServers.yaml(usual), TwoServers.yaml("{" + fields + "}"));
    return Tree.of(list, List.of(entry));
  }

  private static Tree container(String fields) {
    return spec("containers", "{name: main, image: i}", fields);
  }

  @ParameterizedTest
  @FieldSource("dev.sluice.conformance.apiserver.ContainerSamples#CONTAINERS")
  void containersAreTakenOrRefusedAlike(String fields) {
    create(container(fields));
  }

  @ParameterizedTest
  @FieldSource("dev.sluice.conformance.apiserver.ContainerSamples#SURROUNDINGS")
  void surroundingsAreTakenOrRefusedAlike(String fields) {
    Tree volumes = TwoServers.yaml("{volumes: [{name: v}, {name: c, configMap: {name: c}}]}");
    create(container(fields).with("volumes", volumes.at("volumes")));
  }

  @ParameterizedTest
  @FieldSource("dev.sluice.conformance.apiserver.ContainerSamples#HANDLERS")
  void probesAndHooksAreTakenOrRefusedAlike(String fields) {
    create(container(fields));
  }

  @ParameterizedTest
  @FieldSource("dev.sluice.conformance.apiserver.ContainerSamples#INITS")
  void initContainersAreTakenOrRefusedAlike(String fields) {
    create(spec("initContainers", "{name: init, image: i}", fields));
  }

  @ParameterizedTest
  @FieldSource("dev.sluice.conformance.apiserver.TemplateSamples#VOLUMES")
  void volumesAreTakenOrRefusedAlike(String fields) {
    create(spec("volumes", "{name: v}", fields));
  }

  @ParameterizedTest
  @FieldSource("dev.sluice.conformance.apiserver.TemplateSamples#PLACES")
  void placesAreTakenOrRefusedAlike(String spec) {
    create(TwoServers.yaml(spec));
  }

  @ParameterizedTest
  @FieldSource("dev.sluice.conformance.apiserver.TemplateSamples#SYSTEMS")
  void systemsAreTakenOrRefusedAlike(String spec) {
    create(TwoServers.yaml(spec));
  }

  @ParameterizedTest
  @FieldSource("dev.sluice.conformance.apiserver.TemplateSamples#OTHERS")
  void everythingElseIsTakenOrRefusedAlike(String spec) {
    create(TwoServers.yaml(spec));
  }
}
