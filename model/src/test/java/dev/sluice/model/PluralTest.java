package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PluralTest {
  @Test
  void onlyOneIsSingular() {
    assertThat(Plural.of(0, "job")).isEqualTo("0 jobs");
    assertThat(Plural.of(1, "job")).isEqualTo("1 job");
    assertThat(Plural.of(2, "job")).isEqualTo("2 jobs");
  }
}
