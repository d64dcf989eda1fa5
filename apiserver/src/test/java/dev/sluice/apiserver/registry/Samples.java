package dev.sluice.apiserver.registry;

import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;

/** Objects that tests start from. */
public final class Samples {
  public static final ResourceKind SECRET = new ResourceKind("", "v1", "Secret", "secrets", true);
  public static final ResourceKind WIDGET =
      new ResourceKind("example.com", "v1", "Widget", "widgets", true);

  private Samples() {}

  public static Tree configMap(String name) {
    return World.yaml(
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: %s}
        data: {key: value}
        """
            .formatted(name));
  }

  public static Tree pod(String name) {
    return World.yaml(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec:
          containers:
          - name: main
            image: busybox:1.36
        """
            .formatted(name));
  }

  public static Tree job(String name) {
    return World.yaml(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s}
        spec:
          template:
            spec:
              restartPolicy: Never
              containers:
              - name: main
                image: busybox:1.36
        """
            .formatted(name));
  }

  /** The job {@code j} with more in its spec. */
  public static Tree jobWith(String spec) {
    return MergePatch.apply(job("j"), Tree.of("spec", World.yaml(spec)));
  }

  public static Tree widget(String name) {
    return World.yaml(
        """
        apiVersion: example.com/v1
        kind: Widget
        metadata: {name: %s}
        spec: {size: 3}
        """
            .formatted(name));
  }

  /** A definition of Widgets with a status, a default, an enumeration and a limit. */
  public static Tree widgetDefinition() {
    return World.yaml(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: widgets.example.com, creationTimestamp: null}
        spec:
          group: example.com
          scope: Namespaced
          names: {plural: widgets, kind: Widget, shortNames: [wg], categories: [all]}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    required: [size]
                    properties:
                      size: {type: integer, minimum: 1}
                      color: {type: string, default: red, enum: [red, green]}
                  status:
                    type: object
                    properties:
                      ready: {type: boolean}
        """);
  }
}
