package dev.sluice.model.core.pod;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** The Binding of a pod to a node. */
public record Binding(ApiObject object) {

  /** A binding of this very pod, by uid, and of no later one with its name. */
  public static Binding of(Pod pod, String nodeName) {
    ApiObject bare =
        ApiObject.of(Kinds.BINDING, pod.namespace(), pod.name()).withMetadata("uid", pod.uid());
    return new Binding(
        bare.with(
            List.of("target"), Tree.of("apiVersion", "v1", "kind", "Node", "name", nodeName)));
  }

  public String nodeName() {
    return object.tree().text("target", "name");
  }
}
