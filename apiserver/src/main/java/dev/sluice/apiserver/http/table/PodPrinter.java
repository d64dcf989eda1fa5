package dev.sluice.apiserver.http.table;

import static dev.sluice.apiserver.http.table.Printer.name;
import static dev.sluice.apiserver.http.table.Printer.orNone;
import static dev.sluice.apiserver.http.table.Printer.text;
import static dev.sluice.apiserver.http.table.Printer.wide;

import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Rows of pods. */
final class PodPrinter implements Printer {

  @Override
  public List<Column> columns() {
    return List.of(
        name(),
        text("Ready", "How many containers are ready, of how many there are."),
        text("Status", "What the pod is at."),
        text("Restarts", "How often its containers were started again, and when last."),
        Printer.age(),
        wide("IP", "Its address."),
        wide("Node", "Where it runs."),
        wide("Nominated Node", "Where it will run once others have left."),
        wide("Readiness Gates", "How many of the extra conditions hold, of how many asked for."));
  }

  @Override
  public List<Value> cells(ApiObject pod, Instant now) {
    Tree status = pod.status();
    return Printer.row(
        pod.name(),
        ready(pod),
        PodStatusText.of(pod),
        restarts(pod, now),
        Printer.ageOf(pod, now),
        orNone(address(status)),
        orNone(pod.spec().text("nodeName")),
        orNone(status.text("nominatedNodeName")),
        gates(pod));
  }

  @Override
  public List<Tree> conditions(ApiObject pod) {
    return PodStatusText.isFinished(pod)
        ? List.of(
            Tree.of("type", "Completed", "status", "True", "reason", pod.status().text("phase")))
        : List.of();
  }

  private static String ready(ApiObject pod) {
    List<String> sidecars =
        pod.spec().trees("initContainers").stream()
            .filter(container -> container.text("restartPolicy").equals("Always"))
            .map(container -> container.text("name"))
            .toList();
    long ready = counted(pod, sidecars).filter(container -> container.flag("ready")).count();
    return ready + "/" + (pod.spec().trees("containers").size() + sidecars.size());
  }

  private static String restarts(ApiObject pod, Instant now) {
    List<Tree> states =
        Stream.concat(
                pod.status().trees("initContainerStatuses").stream(),
                pod.status().trees("containerStatuses").stream())
            .toList();
    long count = states.stream().mapToLong(state -> state.whole("restartCount").orElse(0)).sum();
    Optional<Instant> last =
        states.stream()
            .map(state -> Timestamps.parse(state.text("lastState", "terminated", "finishedAt")))
            .flatMap(Optional::stream)
            .max(Comparator.naturalOrder());
    return count > 0 && last.isPresent()
        ? "%d (%s ago)".formatted(count, Ages.since(last, now))
        : Long.toString(count);
  }

  private static Stream<Tree> counted(ApiObject pod, List<String> sidecars) {
    return Stream.concat(
        pod.status().trees("initContainerStatuses").stream()
            .filter(container -> sidecars.contains(container.text("name"))),
        pod.status().trees("containerStatuses").stream());
  }

  private static String address(Tree status) {
    List<Tree> addresses = status.trees("podIPs");
    return addresses.isEmpty() ? status.text("podIP") : addresses.getFirst().text("ip");
  }

  private static String gates(ApiObject pod) {
    List<Tree> gates = pod.spec().trees("readinessGates");
    long open =
        gates.stream()
            .filter(gate -> Condition.holds(pod.status(), gate.text("conditionType")))
            .count();
    return gates.isEmpty() ? "<none>" : open + "/" + gates.size();
  }
}
