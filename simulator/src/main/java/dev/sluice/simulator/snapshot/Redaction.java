package dev.sluice.simulator.snapshot;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The part of an object that decisions read. What a snapshot keeps is listed, everything else is
 * left out: commands, arguments, environment variables, volumes, probes, images of nodes, messages
 * of containers, and all annotations that no controller here reads. A value that a user has put
 * into one of them is not in the file.
 */
final class Redaction {
  /** Annotations of Kueue, Kubernetes' own controllers, KWOK and Sluice. */
  private static final List<String> ANNOTATIONS =
      List.of("kueue.x-k8s.io/", "batch.kubernetes.io/", "kwok.x-k8s.io/", "sluice.dev/");

  private static final List<String> METADATA =
      List.of(
          "name",
          "namespace",
          "uid",
          "labels",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "finalizers",
          "generation",
          "generateName");

  private static final List<String> POD_SPEC =
      List.of(
          "activeDeadlineSeconds",
          "affinity",
          "dnsPolicy",
          "hostNetwork",
          "nodeName",
          "nodeSelector",
          "overhead",
          "preemptionPolicy",
          "priority",
          "priorityClassName",
          "resources",
          "restartPolicy",
          "runtimeClassName",
          "schedulerName",
          "schedulingGates",
          "terminationGracePeriodSeconds",
          "tolerations",
          "topologySpreadConstraints");

  private static final List<String> CONTAINER =
      List.of(
          "name",
          "image",
          "imagePullPolicy",
          "ports",
          "resources",
          "restartPolicy",
          "resizePolicy",
          "terminationMessagePolicy");

  /**
   * The default. A template without its defaults would change with the first write of its Job,
   * which the API forbids.
   */
  private static final String TERMINATION_MESSAGE_PATH = "/dev/termination-log";

  private static final List<String> POD_STATUS =
      List.of("phase", "conditions", "startTime", "nominatedNodeName", "qosClass");

  private static final List<String> NODE_STATUS =
      List.of("allocatable", "capacity", "conditions", "phase");

  private static final List<String> CONTAINER_STATUS =
      List.of("name", "image", "imageID", "ready", "started", "restartCount");

  /** Owners that are in the snapshot too; the garbage collector would delete the rest. */
  private static final List<ResourceKind> OWNERS = List.of(Kinds.JOB, Kinds.WORKLOAD, Kinds.POD);

  private Redaction() {}

  static ApiObject of(ApiObject object) {
    Tree tree = object.tree().with("metadata", metadata(object.metadata()));
    if (object.isA(Kinds.POD)) {
      tree = tree.with("spec", podSpec(object.spec())).with("status", podStatus(object.status()));
    } else if (object.isA(Kinds.NODE)) {
      Tree spec = only(object.spec(), List.of("taints", "unschedulable"));
      tree = tree.with("spec", spec).with("status", only(object.status(), NODE_STATUS));
    } else if (object.isA(Kinds.JOB)) {
      tree = tree.with("spec", template(object.spec()));
    } else if (object.isA(Kinds.WORKLOAD)) {
      List<Tree> podSets =
          object.spec().trees("podSets").stream().map(Redaction::template).toList();
      tree = tree.with("spec", object.spec().with("podSets", Items.of(podSets)));
    }
    return new ApiObject(tree);
  }

  private static Tree only(Tree tree, List<String> names) {
    Tree kept = Tree.EMPTY;
    for (String name : names) {
      kept = tree.has(name) ? kept.with(name, tree.at(name)) : kept;
    }
    return kept;
  }

  private static Tree metadata(Tree metadata) {
    Tree kept = only(metadata, METADATA);
    Tree annotations = Tree.EMPTY;
    for (Map.Entry<String, String> annotation : metadata.texts("annotations").entrySet()) {
      if (ANNOTATIONS.stream().anyMatch(annotation.getKey()::startsWith)) {
        annotations = annotations.with(annotation.getKey(), annotation.getValue());
      }
    }
    kept = annotations.isEmpty() ? kept : kept.with("annotations", annotations);
    var owners = new ArrayList<Tree>();
    for (OwnerReference owner : new ApiObject(Tree.of("metadata", metadata)).owners()) {
      boolean inSnapshot =
          OWNERS.stream()
              .anyMatch(
                  kind -> owner.kind().equals(kind.kind()) && owner.group().equals(kind.group()));
      if (inSnapshot) {
        owners.add(owner.tree());
      }
    }
    return owners.isEmpty() ? kept : kept.with("ownerReferences", Items.of(owners));
  }

  /** A spec with a pod template in it. */
  private static Tree template(Tree spec) {
    Tree template = spec.tree("template");
    Tree redacted = template.with("spec", podSpec(template.tree("spec")));
    return spec.with(
        "template",
        template.has("metadata")
            ? redacted.with("metadata", metadata(template.tree("metadata")))
            : redacted);
  }

  private static Tree podSpec(Tree spec) {
    Tree kept =
        only(spec, POD_SPEC)
            .with("securityContext", Tree.EMPTY)
            .with("containers", containers(spec.trees("containers")));
    return spec.has("initContainers")
        ? kept.with("initContainers", containers(spec.trees("initContainers")))
        : kept;
  }

  private static Items containers(List<Tree> containers) {
    return Items.of(
        containers.stream()
            .map(container ->
                only(container, CONTAINER).with("terminationMessagePath", TERMINATION_MESSAGE_PATH))
            .toList());
  }

  private static Tree podStatus(Tree status) {
    Tree kept = only(status, POD_STATUS);
    for (String list : List.of("containerStatuses", "initContainerStatuses")) {
      if (status.has(list)) {
        kept =
            kept.with(
                list,
                Items.of(status.trees(list).stream().map(Redaction::containerStatus).toList()));
      }
    }
    return kept;
  }

  private static Tree containerStatus(Tree status) {
    Tree state = Tree.EMPTY;
    Tree running = status.tree("state", "running");
    Tree terminated = status.tree("state", "terminated");
    if (!running.isEmpty()) {
      state = Tree.of("running", only(running, List.of("startedAt")));
    } else if (!terminated.isEmpty()) {
      List<String> fields = List.of("exitCode", "reason", "startedAt", "finishedAt");
      state = Tree.of("terminated", only(terminated, fields));
    }
    return only(status, CONTAINER_STATUS).with("state", state);
  }
}
