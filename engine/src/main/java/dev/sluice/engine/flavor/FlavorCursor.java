package dev.sluice.engine.flavor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Up to which flavor the groups of a workload's pod sets have been looked at.
 *
 * @param tried by pod set and resource; absent once the last flavor was reached
 */
public record FlavorCursor(Map<String, Integer> tried) {
  public static final FlavorCursor NONE = new FlavorCursor(Map.of());

  public FlavorCursor {
    tried = Collections.unmodifiableMap(new LinkedHashMap<>(tried));
  }

  static String key(String podSet, String resource) {
    return podSet + "/" + resource;
  }

  /** Where to begin: behind the flavor that was looked at last. */
  int start(String podSet, String resource) {
    return tried.isEmpty() ? 0 : tried.getOrDefault(key(podSet, resource), -1) + 1;
  }

  /** Whether some flavors have not been looked at. */
  public boolean unfinished() {
    return !tried.isEmpty();
  }
}
