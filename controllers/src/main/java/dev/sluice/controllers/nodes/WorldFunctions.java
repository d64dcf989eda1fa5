package dev.sluice.controllers.nodes;

import dev.sluice.controllers.nodes.template.TemplateException;
import dev.sluice.controllers.nodes.template.TemplateFunction;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The functions that KWOK adds to the templates of stages: the time, and the addresses of nodes and
 * pods.
 */
final class WorldFunctions {
  private static final String VERSION = "sluice";

  private static final Items CONDITIONS =
      Items.of(
          List.of(
              condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
              condition(
                  "MemoryPressure", "False", "KubeletHasSufficientMemory", "memory is sufficient"),
              condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "disk is sufficient"),
              condition("PIDPressure", "False", "KubeletHasSufficientPID", "PIDs are sufficient"),
              condition("NetworkUnavailable", "False", "RouteCreated", "no network is simulated")));

  private WorldFunctions() {}

  private static Tree condition(String type, String status, String reason, String message) {
    return Tree.of("type", type, "status", status, "reason", reason, "message", message);
  }

  /**
   * @param random the functions that use random numbers
   */
  static SortedMap<String, TemplateFunction> of(
      Supplier<Instant> clock,
      Addresses addresses,
      SimulationSettings settings,
      SortedMap<String, TemplateFunction> random) {
    String self = settings.nodeName();
    String ownAddress = settings.nodeAddress();
    String started = Timestamps.format(clock.get());
    var all = new TreeMap<String, TemplateFunction>();
    // The API has whole seconds, so the templates have them too, on every cluster.
    all.put("Now", _ -> text(Timestamps.format(clock.get())));
    all.put("now", _ -> text(Timestamps.format(clock.get())));
    all.put("StartTime", _ -> text(started));
    all.put("Version", _ -> text(VERSION));
    all.put("NodeConditions", _ -> CONDITIONS);
    all.put("NodeName", _ -> text(self));
    all.put("NodePort", _ -> new Value.Whole(settings.nodePort()));
    all.put("NodeIP", _ -> text(ownAddress.isEmpty() ? addresses.ofNode(self) : ownAddress));
    all.put("NodeIPWith", arguments -> text(addresses.ofNode(text(arguments, 0))));
    all.put("NodeIPsWith", arguments -> Items.of(addresses.allOfNode(text(arguments, 0))));
    all.put("PodIP", _ -> text(addresses.next()));
    all.put("PodIPWith", arguments -> text(pod(arguments, addresses::ofPod)));
    all.put("PodIPsWith", arguments -> Items.of(pod(arguments, addresses::allOfPod)));
    all.putAll(random);
    return Collections.unmodifiableSortedMap(all);
  }

  /** A function of a pod, which templates call with its node, network, uid, name and namespace. */
  private interface PodQuestion<T> {
    T ask(String node, boolean usesHostNetwork, String namespace, String name);
  }

  private static <T> T pod(List<Value> arguments, PodQuestion<T> question) {
    boolean usesHostNetwork = arguments.size() > 1 && arguments.get(1) == Value.Flag.TRUE;
    return question.ask(
        text(arguments, 0), usesHostNetwork, text(arguments, 4), text(arguments, 3));
  }

  private static Value text(String text) {
    return new Value.Text(text);
  }

  private static String text(List<Value> arguments, int index) {
    if (index >= arguments.size()) {
      throw new TemplateException(
          "wrong number of arguments: wants %d, got %d".formatted(index + 1, arguments.size()));
    }
    return arguments.get(index).asText();
  }
}
