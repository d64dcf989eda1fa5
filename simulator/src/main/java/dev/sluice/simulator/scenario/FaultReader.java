package dev.sluice.simulator.scenario;

import dev.sluice.model.GoDuration;
import dev.sluice.model.tree.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads faults. */
final class FaultReader {
  private static final List<String> KINDS =
      List.of("nodeDown", "apiOutage", "controllerRestart", "slowWatch");

  private final List<NodePool> pools;

  FaultReader(List<NodePool> pools) {
    this.pools = pools;
  }

  Fault read(Section fault) {
    List<String> kinds = KINDS.stream().filter(kind -> fault.tree().has(kind)).toList();
    if (kinds.size() != 1) {
      throw new InvalidField(
          fault.path(), "it must have exactly one of " + String.join(", ", KINDS));
    }
    String kind = kinds.getFirst();
    if (fault.tree().has("at") == fault.tree().has("perDay")) {
      throw fault.invalid("at", "a fault has either at or perDay");
    }
    boolean restart = kind.equals("controllerRestart");
    if (fault.tree().has("for") == restart) {
      throw fault.invalid("for", restart ? "a restart is over at once" : "it is required");
    }
    return new Fault(
        kind(kind, fault),
        fault.tree().items("at").stream().map(time -> time(fault, time)).toList(),
        fault.number("perDay"),
        fault.time("until"),
        fault.time("for").orElse(Duration.ZERO));
  }

  private static Duration time(Section fault, Value time) {
    return GoDuration.parse(time.asText())
        .orElseThrow(() -> fault.invalid("at", time + " is longer than 292 years"));
  }

  private Fault.Kind kind(String kind, Section fault) {
    Section fields = fault.section(kind);
    return switch (kind) {
      case "nodeDown" -> nodeDown(fields);
      case "apiOutage" -> new Fault.Kind.ApiOutage();
      case "controllerRestart" -> new Fault.Kind.ControllerRestart();
      default -> new Fault.Kind.SlowWatch(fields.time("delay").orElse(Duration.ZERO));
    };
  }

  private Fault.Kind nodeDown(Section fields) {
    String name = fields.text("pool");
    int count = fields.count("count").orElse(1);
    Optional<NodePool> pool = pools.stream().filter(one -> one.name().equals(name)).findFirst();
    int nodes =
        pool.map(NodePool::count)
            .orElseThrow(() ->
                fields.invalid(
                    "pool",
                    SpecReader.unknown(
                        name, "node pool", pools.stream().map(NodePool::name).toList())));
    if (count > nodes) {
      throw fields.invalid(
          "count", "%d nodes of %s cannot go down: it has %d".formatted(count, name, nodes));
    }
    return new Fault.Kind.NodeDown(name, count);
  }
}
