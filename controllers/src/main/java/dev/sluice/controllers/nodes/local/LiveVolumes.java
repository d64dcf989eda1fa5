package dev.sluice.controllers.nodes.local;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.Volume;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The volumes of running pods that show ConfigMaps, Secrets or the downward API, kept up to date
 * with them. A volume whose object is deleted keeps its files.
 *
 * <p>The files are remembered, so that only changes are written. Threads: one.
 */
final class LiveVolumes {
  private final Launches launches;
  private final Containers containers;
  private final TreeMap<String, SortedMap<String, Launch.Content.Files>> shown = new TreeMap<>();

  LiveVolumes(Launches launches, Containers containers) {
    this.launches = launches;
    this.containers = containers;
  }

  /** Whether a volume of the pod shows a ConfigMap or Secret. */
  static boolean uses(Pod pod, ApiObject object) {
    boolean secret = object.isA(Kinds.SECRET);
    return pod.namespace().equals(object.namespace())
        && pod.spec().volumes().stream()
            .flatMap(volume -> volume.sources().stream())
            .flatMap(source -> source instanceof Volume.Keys keys ? Stream.of(keys) : Stream.of())
            .anyMatch(keys -> keys.secret() == secret && keys.object().equals(object.name()));
  }

  /** Writes the changes for a pod that has started a container. */
  void follow(Pod pod, List<Containers.Run> runs) {
    if (runs.isEmpty() || pod.spec().volumes().isEmpty()) {
      return;
    }
    SortedMap<String, Launch.Content.Files> wanted = launches.files(pod);
    if (!wanted.equals(shown.put(pod.uid(), wanted))) {
      containers.refresh(pod.uid(), wanted);
    }
  }

  void forget(String uid) {
    shown.remove(uid);
  }
}
