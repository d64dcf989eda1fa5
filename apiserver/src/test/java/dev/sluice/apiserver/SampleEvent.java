package dev.sluice.apiserver;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;

/** An event of events.k8s.io named e that says all a new one must say. */
public final class SampleEvent {
  public static final Tree TREE =
      Yaml.parseAll(
              """
              apiVersion: events.k8s.io/v1
              kind: Event
              metadata: {name: e}
              eventTime: "2026-11-16T10:00:00.123456Z"
              reportingController: example.com/x
              reportingInstance: x-1
              action: Doing
              reason: Done
              type: Normal
              note: hello
              regarding: {kind: Pod, namespace: default, name: p}
              """)
          .getFirst()
          .asTree();

  private SampleEvent() {}
}
