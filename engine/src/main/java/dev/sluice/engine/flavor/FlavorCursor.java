package dev.sluice.engine.flavor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The position in the flavors of each resource group up to which a workload has tried them.
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

  /** The first flavor to try: the one after the last that was tried. */
  int start(String podSet, String resource) {
    return tried.isEmpty() ? 0 : tried.getOrDefault(key(podSet, resource), -1) + 1;
  }

  /** Whether some flavors have not been tried. */
  public boolean unfinished() {
    return !tried.isEmpty();
  }
}
