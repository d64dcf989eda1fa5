package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.fields.FieldRule;
import dev.sluice.controllers.nodes.local.fields.FieldRules;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The check for pods that cannot run as processes of this machine: it names the field, and a way
 * out.
 */
final class UnsupportedFields {
  static final String REASON = "UnsupportedByLocalNode";

  private final FieldRules rules;

  UnsupportedFields(LocalMachine machine) {
    this.rules = new FieldRules(machine.user(), machine.group());
  }

  /** The first unsupported field, if there is one. */
  Optional<String> of(Pod pod) {
    PodSpec spec = pod.spec();
    return Stream.of(
            inFields("spec", "", spec.tree()),
            withoutCommand("spec.initContainers", spec.initContainers()),
            withoutCommand("spec.containers", spec.containers()))
        .flatMap(each -> each)
        .findFirst();
  }

  private Stream<String> inFields(String path, String known, Tree tree) {
    return tree.names().stream()
        .flatMap(name -> inValue(path + "." + name, FieldRules.below(known, name), tree.at(name)));
  }

  private Stream<String> inValue(String path, String known, Value value) {
    FieldRule rule = rules.all().get(known);
    if (rule != null) {
      return rule.refuses(value) ? Stream.of(rule.refusal(path, value)) : Stream.empty();
    }
    if (!rules.isInner(known)) {
      return Stream.of(
          "%s: the local node does not know this field; leave it out, or run the pod on another node"
              .formatted(path));
    }
    return switch (value) {
      case Tree tree -> inFields(path, known, tree);
      case Items items ->
          IntStream.range(0, items.values().size())
              .boxed()
              .flatMap(
                  i -> inValue("%s[%d]".formatted(path, i), known + "[]", items.values().get(i)));
      case Value.Text _, Value.Whole _, Value.Decimal _, Value.Flag _, Value.Null _ ->
          Stream.empty();
    };
  }

  private static Stream<String> withoutCommand(String list, List<Container> containers) {
    return IntStream.range(0, containers.size())
        .filter(i -> containers.get(i).command().isEmpty())
        .mapToObj(i ->
            ("%s[%d].command: Required value: the local node runs commands of this machine, images"
                    + " are not pulled: give the container a command")
                .formatted(list, i));
  }
}
