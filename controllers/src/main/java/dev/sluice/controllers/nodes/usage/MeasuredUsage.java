package dev.sluice.controllers.nodes.usage;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;

/** What nodes that really run pods use, and the containers on them. Threads: safe. */
public interface MeasuredUsage {

  /** What is used at the moment. */
  record Use(BigDecimal cores, BigDecimal bytes) {}

  /** The one of a world in which nothing really runs. */
  MeasuredUsage NONE =
      new MeasuredUsage() {
        @Override
        public SortedMap<String, Use> nodes() {
          return Collections.emptySortedMap();
        }

        @Override
        public Optional<Use> container(String pod, String container) {
          return Optional.empty();
        }
      };

  /** The nodes that are measured, by their names, with everything that runs on them. */
  SortedMap<String, Use> nodes();

  /**
   * What a container uses; empty if it does not run.
   *
   * @param pod the uid of the pod
   */
  Optional<Use> container(String pod, String container);
}
