package dev.sluice.runtime;

import java.util.Optional;

/**
 * Pages of metrics that are served beside those of the program itself.
 *
 * <p>Threads: implementations are safe.
 */
public interface MetricPages {
  MetricPages NONE = path -> Optional.empty();

  /**
   * The page at a path below {@code /metrics/}, in the text format of Prometheus, if there is one.
   */
  Optional<String> page(String path);
}
