package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** The validation of a container's volume mounts and devices. */
final class MountValidation {
  private static final List<String> PROPAGATIONS =
      List.of("Bidirectional", "HostToContainer", "None");
  private static final List<String> RECURSIONS = List.of("Disabled", "Enabled", "IfPossible");

  private final SortedMap<String, Tree> volumes;
  private final ValidationErrors problems;

  /**
   * @param volumes the volumes of the pod, by name
   */
  MountValidation(SortedMap<String, Tree> volumes, ValidationErrors problems) {
    this.volumes = volumes;
    this.problems = problems;
  }

  void check(String field, Tree container) {
    List<Tree> mounts = container.trees("volumeMounts");
    var places = new TreeSet<String>();
    for (int i = 0; i < mounts.size(); i++) {
      String at = field + ".volumeMounts[" + i + "]";
      Tree mount = mounts.get(i);
      checkPlace(at, mount, places);
      // Kubernetes does not distinguish which of them the other fields are about.
      String all = field + ".volumeMounts";
      checkPart(at, all, mount);
      checkSharing(all, mount, container.flag("securityContext", "privileged"));
    }
    checkDevices(field + ".volumeDevices", container.trees("volumeDevices"));
  }

  private void checkPlace(String at, Tree mount, Set<String> places) {
    String volume = mount.text("name");
    if (volume.isEmpty()) {
      problems.required(at + ".name", "");
    }
    if (!volumes.containsKey(volume)) {
      problems.notFound(at + ".name", volume);
    }
    String place = mount.text("mountPath");
    if (place.isEmpty()) {
      problems.required(at + ".mountPath", "");
    }
    if (!places.add(place)) {
      problems.invalid(at + ".mountPath", place, "must be unique");
    }
  }

  private void checkPart(String at, String all, Tree mount) {
    String part = mount.text("subPath");
    String expression = mount.text("subPathExpr");
    problems.invalidIf(VolumePaths.problemBelow(part), all + ".subPath", part);
    problems.invalidIf(VolumePaths.problemBelow(expression), all + ".subPathExpr", expression);
    if (!part.isEmpty() && !expression.isEmpty()) {
      problems.invalid(
          at + ".subPathExpr", expression, "subPathExpr and subPath are mutually exclusive");
    }
  }

  private void checkSharing(String at, Tree mount, boolean privileged) {
    if (mount.has("mountPropagation")) {
      String propagation = mount.text("mountPropagation");
      problems.oneOf(at + ".mountPropagation", propagation, PROPAGATIONS);
      if (propagation.equals("Bidirectional") && !privileged) {
        problems.forbidden(
            at + ".mountPropagation",
            "Bidirectional mount propagation is available only to privileged containers");
      }
    }
    if (mount.has("recursiveReadOnly")) {
      String recursion = mount.text("recursiveReadOnly");
      problems.oneOf(at + ".recursiveReadOnly", recursion, RECURSIONS);
      boolean reachesDown = recursion.equals("Enabled") || recursion.equals("IfPossible");
      if (reachesDown && !mount.flag("readOnly")) {
        problems.forbidden(
            at + ".recursiveReadOnly", "may only be specified when readOnly is true");
      }
    }
  }

  private void checkDevices(String field, List<Tree> devices) {
    for (int i = 0; i < devices.size(); i++) {
      String at = field + "[" + i + "]";
      String name = devices.get(i).text("name");
      if (name.isEmpty()) {
        problems.required(at + ".name", "");
      }
      Tree volume = volumes.get(name);
      if (volume == null) {
        problems.notFound(at + ".name", name);
      } else if (!volume.has("persistentVolumeClaim") && !volume.has("ephemeral")) {
        problems.invalid(
            at + ".name",
            name,
            "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
      }
      if (devices.get(i).text("devicePath").isEmpty()) {
        problems.required(at + ".devicePath", "");
      }
    }
  }
}
