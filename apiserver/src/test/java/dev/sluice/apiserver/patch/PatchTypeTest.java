package dev.sluice.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PatchTypeTest {

  @Test
  void theContentTypeTellsTheTypeWhateverItsParameters() {
    assertThat(PatchType.of("Application/JSON-Patch+json; charset=utf-8", PatchType.FOR_BUILT_INS))
        .isEqualTo(PatchType.JSON);
    assertThat(PatchType.of("application/apply-patch+yaml", PatchType.FOR_CUSTOM_RESOURCES))
        .isEqualTo(PatchType.APPLY);
  }

  @Test
  void customResourcesTakeNoStrategicPatchAndSayWhatTheyTake() {
    String strategic = "application/strategic-merge-patch+json";

    assertThat(PatchType.of(strategic, PatchType.FOR_BUILT_INS)).isEqualTo(PatchType.STRATEGIC);
    assertThatThrownBy(() -> PatchType.of(strategic, PatchType.FOR_CUSTOM_RESOURCES))
        .hasMessage(
            "a patch of type \"application/strategic-merge-patch+json\" is not taken here; send one"
                + " of: application/json-patch+json, application/merge-patch+json,"
                + " application/apply-patch+yaml");
  }

  @Test
  void plainJsonIsNoPatch() {
    assertThatThrownBy(() -> PatchType.of("application/json", PatchType.FOR_BUILT_INS))
        .hasMessageContaining("\"application/json\" is not taken here");
  }
}
