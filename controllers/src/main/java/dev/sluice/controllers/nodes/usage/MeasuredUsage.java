package dev.sluice.controllers.nodes.usage;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The measured resource usage of nodes that really run pods, and of their containers. Threads:
 * safe.
 */
public interface MeasuredUsage {

  /** The current usage. */
  record Use(BigDecimal cores, BigDecimal bytes) {}

  /** The usage of a cluster in which nothing really runs. */
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

  /** The measured nodes by name, each with the total of its processes. */
  SortedMap<String, Use> nodes();

  /**
   * The usage of a container; empty if it does not run.
   *
   * @param pod the uid of the pod
   */
  Optional<Use> container(String pod, String container);
}
