package dev.sluice.engine.requests;

import dev.sluice.model.ApiObject;
import dev.sluice.model.core.LimitRange;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.util.List;

/** Pods and limits as tests write them. */
final class PodText {
  private PodText() {}

  static List<LimitRange> ranges(List<String> items) {
    return items.stream()
        .map(item -> new LimitRange(new ApiObject(tree("spec: {limits: [%s]}".formatted(item)))))
        .toList();
  }

  static PodSpec pod(String yaml) {
    return new PodSpec(tree(yaml));
  }

  static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }
}
