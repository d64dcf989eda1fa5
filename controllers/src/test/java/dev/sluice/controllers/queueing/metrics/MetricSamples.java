package dev.sluice.controllers.queueing.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.queueing.QueueWorld;
import java.util.SortedMap;
import java.util.TreeMap;

/** The metrics of a leader, as tests read them. */
final class MetricSamples {
  private MetricSamples() {}

  /** The metrics of a leader, by a configuration file. */
  static QueueMetrics metrics(QueueWorld world, Loaded file) {
    return new QueueMetrics(
        world.cluster,
        world.cache,
        file.configuration(),
        file.manager().metrics(),
        () -> "leader",
        "1.2.3");
  }

  /**
   * Every sample by its name and labels without the role; fails on a line that cannot be parsed.
   */
  static SortedMap<String, Double> of(QueueMetrics metrics) {
    var samples = new TreeMap<String, Double>();
    for (String line : metrics.text().split("\n", -1)) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      assertThat(line).matches("[a-z_]+\\{([a-z_]+=\"[^\"]*\",?)*} [-+0-9.EInfNa]+");
      assertThat(line.contains("replica_role=\"leader\"")).isEqualTo(!line.contains("build_info"));
      int space = line.lastIndexOf(' ');
      String key = line.substring(0, space).replaceAll(",?replica_role=\"leader\"|\"", "");
      Double value = Double.valueOf(line.substring(space + 1).replace("Inf", "Infinity"));
      assertThat(samples.put(key.replace("{,", "{"), value)).as(line).isNull();
    }
    return samples;
  }
}
