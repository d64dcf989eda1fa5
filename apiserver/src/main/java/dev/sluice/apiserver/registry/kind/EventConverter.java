package dev.sluice.apiserver.registry.kind;

import dev.sluice.apiserver.registry.rules.core.EventNames;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;

/** The conversion of events between the core group and {@code events.k8s.io}. Threads: safe. */
public final class EventConverter implements VersionConverter {

  @Override
  public boolean converts(ResourceKind kind) {
    return kind.equals(Kinds.EVENT) || kind.equals(Kinds.GROUPED_EVENT);
  }

  @Override
  public ApiObject convert(ApiObject event, String toApiVersion) {
    return EventNames.in(toApiVersion, event);
  }
}
