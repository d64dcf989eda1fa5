package dev.sluice.benchmarks.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One workload of a shape.
 *
 * @param queue the number of its queue
 * @param after when it arrives, counted from the start
 */
record Arrival(String name, int queue, WorkloadClass kind, Duration after) {

  /** All workloads of a shape in the order in which they arrive. */
  static List<Arrival> of(Shape shape) {
    var arrivals = new ArrayList<Arrival>(shape.workloads());
    for (int queue = 0; queue < shape.queues(); queue++) {
      for (WorkloadClass kind : shape.classes()) {
        for (int number = 0; number < kind.count(); number++) {
          String name = "%s-%s-%d".formatted(LoadObjects.queueName(queue), kind.name(), number);
          arrivals.add(new Arrival(name, queue, kind, kind.interval().multipliedBy(number)));
        }
      }
    }
    arrivals.sort(Comparator.comparing(Arrival::after));
    return arrivals;
  }
}
