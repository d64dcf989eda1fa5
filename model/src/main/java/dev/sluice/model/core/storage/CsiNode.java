package dev.sluice.model.core.storage;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the drivers of volumes can do on one node. */
public record CsiNode(ApiObject object) {

  /** How many volumes each driver can attach to it, of those drivers that have a limit. */
  public SortedMap<String, Long> limits() {
    var limits = new TreeMap<String, Long>();
    for (Tree driver : object.spec().trees("drivers")) {
      driver
          .whole("allocatable", "count")
          .ifPresent(count -> limits.put(driver.text("name"), count));
    }
    return limits;
  }
}
