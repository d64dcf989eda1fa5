package dev.sluice.conformance.controllers;

import dev.sluice.model.ApiObject;
import dev.sluice.model.core.Event;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How a Job and what belongs to it look, without what differs from world to world: times, uids and
 * the random ends of names.
 */
final class JobPicture {
  private JobPicture() {}

  static List<String> conditions(ApiObject job) {
    return job.status().trees("conditions").stream()
        .map(condition ->
            "%s=%s %s: %s"
                .formatted(
                    condition.text("type"),
                    condition.text("status"),
                    condition.text("reason"),
                    anonymous(job.name(), condition.text("message"))))
        .toList();
  }

  private static String anonymous(String job, String text) {
    return text.replaceAll(
        "\\b" + job + "(-[0-9]+)?-[bcdfghjklmnpqrstvwxz2456789]{5}\\b", job + "$1-*");
  }

  static Tree status(ApiObject job) {
    Tree status = job.status().without("conditions");
    for (String time : List.of("startTime", "completionTime")) {
      status = status.has(time) ? status.with(time, "a time") : status;
    }
    return status;
  }

  static Tree pod(String job, Pod pod) {
    ApiObject object = pod.object();
    Tree seen =
        Tree.of(
            "name", anonymous(job, pod.name()),
            "generateName", object.metadata().text("generateName"),
            "labels", object.metadata().tree("labels"),
            "annotations", object.metadata().tree("annotations"),
            "finalizers", object.finalizers(),
            "hostname", object.spec().text("hostname"),
            "env", pod.spec().containers().getFirst().tree().at("env"),
            "phase", pod.phase().word(),
            "node", pod.nodeName(),
            "deleting", pod.isDeleting(),
            "owners", object.metadata().at("ownerReferences"));
    String uid = object.label("controller-uid");
    return Json.parse(Json.write(seen).replace(uid, "the-uid")).asTree();
  }

  /** The events of a Job, with their counts. */
  static Map<String, Long> events(String job, List<ApiObject> all) {
    return all.stream()
        .filter(event -> event.tree().text("involvedObject", "kind").equals("Job"))
        .filter(event -> event.tree().text("involvedObject", "name").equals(job))
        .map(Event::new)
        .collect(
            Collectors.groupingBy(
                event ->
                    "%s %s: %s"
                        .formatted(event.type(), event.reason(), anonymous(job, event.message())),
                TreeMap::new,
                Collectors.summingLong(Event::count)));
  }
}
