package dev.sluice.benchmarks.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LiveHeapTest {

  @Test
  void readsTheTotalAndTheClasses() {
    LiveHeap heap =
        LiveHeap.parse(
            """
            4711:
             num     #instances         #bytes  class name (module)
            -------------------------------------------------------
               1:         10000         480000  [B (java.base@25)
               2:           100           2400  java.lang.String (java.base@25)
            Total         10100         482400
            """);

    assertThat(heap.bytes()).isEqualTo(482_400);
    assertThat(heap.classes()).hasSize(2).first().asString().contains("[B");
  }

  @Test
  void saysWhatJcmdSaidInsteadOfATable() {
    assertThatThrownBy(() -> LiveHeap.parse("com.sun.tools.attach.AttachNotSupportedException"))
        .isInstanceOf(FailedBenchmark.class)
        .hasMessageContaining("AttachNotSupportedException");
  }
}
