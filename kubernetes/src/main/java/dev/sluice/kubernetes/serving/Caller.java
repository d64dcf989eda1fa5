package dev.sluice.kubernetes.serving;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * For whom the API server asks.
 *
 * @param extra what else its authentication knows, for authorizers to decide by
 */
record Caller(String user, List<String> groups, SortedMap<String, List<String>> extra) {
  Caller {
    groups = List.copyOf(groups);
    extra = Collections.unmodifiableSortedMap(new TreeMap<>(extra));
  }
}
