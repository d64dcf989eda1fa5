package dev.sluice.model.core.storage;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import java.util.SortedMap;
import java.util.TreeMap;

/** A CSINode: the CSI drivers on one node. */
public record CsiNode(ApiObject object) {

  /** The number of volumes that each driver can attach, for drivers with a limit. */
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
