package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;
import java.util.List;

/** One container or init container of a pod spec. */
public record Container(Tree tree) {

  public String name() {
    return tree.text("name");
  }

  public String image() {
    return tree.text("image");
  }

  public List<String> command() {
    return tree.textItems("command");
  }

  public List<String> args() {
    return tree.textItems("args");
  }

  public ResourceNeeds resources() {
    return ResourceNeeds.of(tree);
  }

  public Container withResources(ResourceNeeds resources) {
    return new Container(resources.in(tree));
  }

  /** Whether it is an init container that keeps running alongside the others. */
  public boolean isSidecar() {
    return tree.text("restartPolicy").equals("Always");
  }
}
