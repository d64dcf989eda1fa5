package dev.sluice.controllers.nodes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.ContainerState;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.Worlds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the surroundings of containers show: variables and volumes. */
class LocalSurroundingsTest {
  private final LocalWorld world = new LocalWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aContainerWaitsForWhatItsEnvironmentNeeds() {
    world.create(
        "restartPolicy: Never, containers: [{name: main, image: b, command: [say, $(WORD),"
            + " $$(WORD)], env: [{name: WORD, valueFrom: {configMapKeyRef: {name: words, key:"
            + " first}}}]}]");
    world.pass(1);
    assertThat(world.container("main").state())
        .contains(
            new ContainerState.Waiting(
                "CreateContainerConfigError", "configmap \"words\" not found"));

    world.cluster.create(
        Kinds.CONFIG_MAP,
        Worlds.yaml(
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: words, namespace: default},"
                + " data: {first: hello}}"));
    world.pass(6);

    assertThat(world.containers.launch("main").command())
        .containsExactly("say", "hello", "$(WORD)");
  }

  @Test
  void aContainerWaitsForTheFileThatHasItsVariables() {
    world.create(
        "restartPolicy: Never, volumes: [{name: v}], containers: [{name: main, image: b, command:"
            + " [say, $(WORD)], env: [{name: WORD, valueFrom: {fileKeyRef: {volumeName: v, path:"
            + " words.env, key: FIRST}}}, {name: MORE, valueFrom: {fileKeyRef: {volumeName: v,"
            + " path: none.env, key: A, optional: true}}}]}]");
    world.pass(1);
    assertThat(world.container("main").state())
        .contains(
            new ContainerState.Waiting(
                "CreateContainerConfigError",
                "couldn't find key FIRST in file words.env of volume v"));

    world.containers.files.put("v/words.env", "FIRST='hello'\n");
    world.pass(6);

    Launch launch = world.containers.launch("main");
    assertThat(launch.command()).containsExactly("say", "hello");
    assertThat(launch.environment()).doesNotContainKey("MORE");
  }

  @Test
  void aContainerWaitsForItsVolumes() {
    world.create(
        "restartPolicy: Never, volumes: [{name: v, configMap: {name: words}}], containers: [{name:"
            + " main, image: b, command: [say], volumeMounts: [{name: v, mountPath: /v}]}]");
    world.pass(1);

    assertThat(world.container("main").state())
        .contains(
            new ContainerState.Waiting(
                "ContainerCreating",
                "MountVolume.SetUp failed for volume \"v\" : configmap \"words\" not found"));
    assertThat(world.reasons()).containsExactly("FailedMount");
  }

  @Test
  void whatCannotBeStartedIsTold() {
    world.containers.reason = Containers.State.START_ERROR;
    world.containers.lastWords = "not found";
    world.containers.play("main", FakeContainers.Life.ends(1, 128));
    world.create("restartPolicy: Never, containers: [{name: main, image: b, command: [say]}]");
    world.pass(3);

    assertThat(world.cluster.list(Kinds.EVENT))
        .extracting(event -> event.tree().text("message"))
        .contains("Error: not found");
  }

  @Test
  void volumesFollowWhatTheyShow() {
    ApiObject words = world.cluster.create(Kinds.CONFIG_MAP, words("hello"));
    world.create(
        "restartPolicy: Always, volumes: [{name: v, configMap: {name: words}}], containers: [{name:"
            + " main, image: b, command: [work], volumeMounts: [{name: v, mountPath: /v}]}]");
    world.pass(1);
    assertThat(world.containers.launch("main").mounts().getFirst().readOnly()).isTrue();

    world.cluster.update(Kinds.CONFIG_MAP, words.with(List.of("data", "first"), "goodbye"));
    world.pass(1);

    assertThat(refreshed()).isEqualTo("goodbye");
  }

  @Test
  void aVolumeWhoseObjectIsGoneKeepsWhatItShows() {
    ApiObject words = world.cluster.create(Kinds.CONFIG_MAP, words("hello"));
    world.create(
        "restartPolicy: Always, volumes: [{name: v, configMap: {name: words}}], containers: [{name:"
            + " main, image: b, command: [work], volumeMounts: [{name: v, mountPath: /v}]}]");
    world.pass(1);

    world.cluster.delete(Kinds.CONFIG_MAP, words, Deletion.BACKGROUND);
    world.pass(1);

    assertThat(world.containers.refreshed).isEmpty();
    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.RUNNING);
  }

  private String refreshed() {
    Launch.FileContent file =
        Optional.ofNullable(world.containers.refreshed.get("v"))
            .map(volume -> volume.files().get("first"))
            .orElseThrow();
    return new String(file.bytes(), StandardCharsets.UTF_8);
  }

  private static ApiObject words(String first) {
    return Worlds.yaml(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: words, namespace: default}, data:"
            + " {first: %s}}".formatted(first));
  }
}
