package dev.sluice.engine.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The scores that kube-scheduler gave to thirty nodes for pods of all sorts, as it logged them, are
 * ours too: all plugins of its default profile together, weighed.
 *
 * <p>A line of the file says {@code node} with its name, room, labels, spec and images; or {@code
 * placed} with a pod's name, node, labels, requests and spec; or {@code pod} with a pod's name,
 * labels, requests and spec, the scores of the nodes in their order, and the node it went to.
 */
class RecordedScoresTest {

  private static List<List<String>> lines() {
    try (var file = RecordedScoresTest.class.getResourceAsStream("/kube-scheduler-scores.txt")) {
      assertThat(file).isNotNull();
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> List.of(line.split("\\|", -1)))
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Test
  void everyNodeScoresWhatItDoesInKubernetes() {
    var scene = new SchedulingScene();
    var nodes = new ArrayList<String>();
    int compared = 0;
    for (List<String> line : lines()) {
      switch (line.getFirst()) {
        case "node" -> {
          nodes.add(line.get(1));
          scene.node(node(line));
        }
        case "placed" ->
            scene.on(line.get(2), scene.pod(line.get(1), line.get(3), line.get(4), line.get(5)));
        default -> {
          PodFacts pod = scene.pod(line.get(1), line.get(2), line.get(3), line.get(4));
          var scores = scene.scheduler.scores(pod);
          List<Long> want =
              List.of(line.get(5).split(" ", -1)).stream().map(Long::valueOf).toList();
          assertThat(nodes.stream().map(scores::get).toList()).as(line.get(1)).isEqualTo(want);
          scene.on(line.get(6), pod);
          compared += want.size();
        }
      }
    }
    assertThat(compared).isEqualTo(240);
  }

  private static String node(List<String> line) {
    return """
    apiVersion: v1
    kind: Node
    metadata: {name: %s, labels: {kubernetes.io/hostname: %s, %s}}
    spec: {%s}
    status: {allocatable: {pods: 110, %s}, %s}
    """
        .formatted(line.get(1), line.get(1), line.get(3), line.get(4), line.get(2), line.get(5));
  }
}
