package dev.sluice.controllers.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiObject;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.Taint;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedNodeSpecTest {

  @Test
  void givesNodesOfTheSizeAskedFor() {
    List<ApiObject> nodes =
        SimulatedNodeSpec.parse("12:cpu=32,memory=256Gi,nvidia.com/gpu=8").nodes("a", List.of());

    assertThat(nodes).hasSize(12);
    assertThat(nodes.get(3).name()).isEqualTo("simulated-a-03");
    Node node = new Node(nodes.get(3));
    assertThat(node.allocatable().byResource())
        .hasToString("{cpu=32000, memory=274877906944, nvidia.com/gpu=8, pods=110}");
    assertThat(node.status().capacity()).isEqualTo(node.status().allocatable());
    assertThat(node.labels())
        .containsEntry("type", "kwok")
        .containsEntry("kubernetes.io/hostname", "simulated-a-03");
    assertThat(SimulatedNode.is(node.object())).isTrue();
  }

  @Test
  void aCountAloneIsEnough() {
    List<ApiObject> nodes = SimulatedNodeSpec.parse("2").nodes("b", List.of());

    assertThat(nodes).extracting(ApiObject::name).containsExactly("simulated-b-0", "simulated-b-1");
    assertThat(new Node(nodes.getFirst()).allocatable().byResource()).hasToString("{pods=110}");
  }

  @Test
  void kwoksTaintIsOnNodesThatAreToHaveIt() {
    var spec = SimulatedNodeSpec.parse("1");

    assertThat(new Node(spec.nodes("c", List.of()).getFirst()).taints()).isEmpty();
    assertThat(new Node(spec.nodes("c", List.of(SimulatedNodeSpec.TAINT)).getFirst()).taints())
        .containsExactly(new Taint("kwok.x-k8s.io/node", "fake", "NoSchedule"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | \"\" is no count from 1 to 100000",
        "0:cpu=1 | \"0\" is no count",
        "ten:cpu=1 | \"ten\" is no count",
        "100001 | \"100001\" is no count",
        "1: | \"\" is not of the form resource=quantity",
        "1:cpu | \"cpu\" is not of the form resource=quantity",
        "1:=4 | \"=4\" is not of the form resource=quantity",
        "1:cpu=lots | \"lots\" is no quantity of cpu",
        "1:cpu=-4 | \"-4\" is no quantity of cpu",
        "1:cpu=4,cpu=5 | cpu stands twice"
      })
  void saysWhatIsWrong(String text, String want) {
    assertThatThrownBy(() -> SimulatedNodeSpec.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(want)
        .hasMessageContaining("1000:cpu=32,memory=256Gi");
  }
}
