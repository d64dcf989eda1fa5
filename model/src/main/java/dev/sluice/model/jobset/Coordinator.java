package dev.sluice.model.jobset;

import dev.sluice.model.tree.Tree;

/** The pod of a JobSet that coordinates the others. */
public record Coordinator(Tree tree) {
  public String replicatedJob() {
    return tree.text("replicatedJob");
  }

  public long jobIndex() {
    return tree.whole("jobIndex").orElse(0);
  }

  public long podIndex() {
    return tree.whole("podIndex").orElse(0);
  }
}
