package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LruMapTest {

  @Test
  void forgetsWhatWasNotUsedForLongest() {
    var map = new LruMap<String, Integer>(2);
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.get("a")).isEqualTo(1);

    map.computeIfAbsent("c", _ -> 3);

    assertThat(map).containsOnlyKeys("a", "c");
  }
}
