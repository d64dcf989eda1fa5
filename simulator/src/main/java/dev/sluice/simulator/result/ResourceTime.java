package dev.sluice.simulator.result;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Amounts of resources over time: amount times seconds, in the units of {@code Amounts}. */
public record ResourceTime(SortedMap<String, Double> byResource) {
  public static final ResourceTime NONE = new ResourceTime(new TreeMap<>());

  public ResourceTime {
    byResource = Collections.unmodifiableSortedMap(new TreeMap<>(byResource));
  }
}
