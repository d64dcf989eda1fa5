package dev.sluice.conformance.scheduling;

import dev.sluice.conformance.Eventually;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.Event;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** What a scheduler made of some pods, in words in which its name does not occur. */
final class SchedulerStory {
  private static final String NAMESPACE = "default";

  private final Cluster cluster;
  private final String scheduler;
  private final List<String> pods;

  SchedulerStory(Cluster cluster, String scheduler, List<String> pods) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    this.pods = List.copyOf(pods);
  }

  /** The outcome of every pod, with its conditions and events. */
  List<String> tell() {
    var story = new ArrayList<String>();
    for (String name : pods) {
      Pod pod = pod(name);
      if (!pod.status().nominatedNodeName().isEmpty() && !pod.isBound()) {
        Eventually.holds("somebody leaves for " + name, this::anybodyLeaves);
      }
    }
    for (String name : pods) {
      Pod pod = pod(name);
      story.add(name + ": " + fate(pod));
      story.addAll(told(pod));
    }
    return story.stream().map(this::withoutNames).toList();
  }

  private Pod pod(String name) {
    return new Pod(cluster.get(Kinds.POD.key(NAMESPACE, name)).orElseThrow());
  }

  private boolean anybodyLeaves() {
    return pods.stream().anyMatch(name -> pod(name).isDeleting());
  }

  private static String fate(Pod pod) {
    PodStatus status = pod.status();
    String nominated = status.nominatedNodeName();
    return (pod.isBound() ? "on " + pod.nodeName() : words(status, PodStatus.POD_SCHEDULED))
        + (nominated.isEmpty() ? "" : " nominated " + nominated)
        + (pod.isDeleting() ? " leaves: " + words(status, PodStatus.DISRUPTION_TARGET) : "");
  }

  /** What a condition says, and of which generation of the pod. */
  private static String words(PodStatus status, String condition) {
    long generation =
        status.tree().trees("conditions").stream()
            .filter(one -> one.text("type").equals(condition))
            .mapToLong(one -> one.whole("observedGeneration").orElse(0))
            .sum();
    return "%s %s (generation %d)"
        .formatted(status.reason(condition), status.message(condition), generation);
  }

  /** The events about a pod, without those about attempts that others followed. */
  private List<String> told(Pod pod) {
    String awaited =
        pod.isDeleting() ? "Preempted" : pod.isBound() ? "Scheduled" : "FailedScheduling";
    String last = pod.status().message(PodStatus.POD_SCHEDULED);
    if (!pod.spec().hasSchedulingGates()) {
      Eventually.holds(
          "%s is told: %s".formatted(pod.name(), awaited),
          () ->
              events(pod).stream()
                  .anyMatch(event -> event.reason().equals(awaited) && isOfNow(event, last)));
    }
    var told = new TreeSet<String>();
    events(pod).stream()
        .filter(event -> isOfNow(event, last))
        .forEach(event ->
            told.add("  %s %s: %s".formatted(event.type(), event.reason(), event.message())));
    return List.copyOf(told);
  }

  private static boolean isOfNow(Event event, String last) {
    return !event.reason().equals("FailedScheduling") || event.message().equals(last);
  }

  private List<Event> events(Pod pod) {
    return cluster.list(Kinds.EVENT, NAMESPACE).stream()
        .filter(event -> event.tree().text("involvedObject", "uid").equals(pod.uid()))
        .map(Event::new)
        .toList();
  }

  private String withoutNames(String line) {
    String plain = line.replace(scheduler, "<scheduler>");
    for (String name : pods) {
      plain = plain.replace(pod(name).uid(), "<" + name + ">");
    }
    return plain;
  }
}
