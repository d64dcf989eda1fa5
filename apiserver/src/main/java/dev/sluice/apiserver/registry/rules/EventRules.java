package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Problems;

/** Events: each lives in the namespace of what it tells of. */
public final class EventRules implements KindRules {

  @Override
  public void check(ApiObject event, Problems problems) {
    String namespace = event.tree().text("involvedObject", "namespace");
    boolean clusterScoped = namespace.isEmpty() || namespace.equals("default");
    if (!clusterScoped && !namespace.equals(event.namespace())) {
      problems.invalid("involvedObject.namespace", namespace, "does not match event.namespace");
    }
  }
}
