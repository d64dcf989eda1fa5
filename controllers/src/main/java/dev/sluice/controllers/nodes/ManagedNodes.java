package dev.sluice.controllers.nodes;

import dev.sluice.model.ApiObject;

/** The choice of the nodes that are simulated. */
sealed interface ManagedNodes {

  record All() implements ManagedNodes {}

  record Named(String name) implements ManagedNodes {}

  record Annotated(TagSelector selector) implements ManagedNodes {}

  record Labelled(TagSelector selector) implements ManagedNodes {}

  default boolean include(ApiObject node) {
    return switch (this) {
      case All() -> true;
      case Named(String name) -> node.name().equals(name);
      case Annotated(TagSelector selector) -> selector.matches(node.metadata().tree("annotations"));
      case Labelled(TagSelector selector) -> selector.matches(node.metadata().tree("labels"));
    };
  }
}
