package dev.sluice.controllers.nodes;

import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The parser of the options of a KwokConfiguration, and the only place that knows their names.
 *
 * <p>Threads: none; it belongs to the reader of the file.
 */
final class KwokOptions {
  private static final String FIELD = "options.";

  /** The options that choose nodes, of which only one may be set. */
  private static final String ALL = "manageAllNodes";

  private static final String SINGLE = "manageSingleNode";
  private static final String BY_ANNOTATION = "manageNodesWithAnnotationSelector";
  private static final String BY_LABEL = "manageNodesWithLabelSelector";

  private static final List<String> UNDERSTOOD =
      List.of(
          ALL,
          SINGLE,
          BY_ANNOTATION,
          BY_LABEL,
          "cidr",
          "disregardStatusWithAnnotationSelector",
          "disregardStatusWithLabelSelector",
          "enableCRDs",
          "nodeIP",
          "nodeLeaseDurationSeconds",
          "nodeName",
          "nodePort");

  private final List<String> warnings;
  private final List<String> problems;
  private Tree options = Tree.EMPTY;

  KwokOptions(List<String> warnings, List<String> problems) {
    this.warnings = warnings;
    this.problems = problems;
  }

  /** Adds the options of a document; a later one wins. */
  void read(Tree read) {
    for (String name : read.names()) {
      if (UNDERSTOOD.contains(name)) {
        options = options.with(name, read.at(name));
      } else {
        warnings.add(FIELD + name + " has no effect");
      }
    }
  }

  /** KWOK takes a kind from the file or from the API, never from both. */
  void checkNotTwice(List<String> kinds) {
    for (String enabled : options.textItems("enableCRDs")) {
      if (kinds.contains(enabled)) {
        problems.add(
            "%senableCRDs has %s, and the file has documents of it: take one of them away"
                .formatted(FIELD, enabled));
      }
    }
  }

  /** The settings; invalid options are added to the problems. */
  SimulationSettings settings() {
    SimulationSettings usual = SimulationSettings.DEFAULT;
    return new SimulationSettings(
        managed().orElse(usual.managed()),
        selectors("disregardStatusWithAnnotationSelector"),
        selectors("disregardStatusWithLabelSelector"),
        cidr().orElse(usual.podCidr()),
        leaseLength().orElse(usual.leaseLength()),
        text("nodeName").orElse(usual.nodeName()),
        text("nodeIP").orElse(usual.nodeAddress()),
        options.whole("nodePort").orElse(usual.nodePort()));
  }

  private Optional<String> text(String name) {
    return Optional.of(options.text(name)).filter(text -> !text.isEmpty());
  }

  private Optional<ManagedNodes> managed() {
    var choices = new ArrayList<ManagedNodes>();
    if (options.flag(ALL)) {
      choices.add(new ManagedNodes.All());
    }
    text(SINGLE).ifPresent(name -> choices.add(new ManagedNodes.Named(name)));
    selector(BY_ANNOTATION).map(ManagedNodes.Annotated::new).ifPresent(choices::add);
    selector(BY_LABEL).map(ManagedNodes.Labelled::new).ifPresent(choices::add);
    if (choices.size() > 1) {
      problems.add(
          "%s%s, %s, %s and %s exclude each other: give one"
              .formatted(FIELD, ALL, SINGLE, BY_ANNOTATION, BY_LABEL));
    }
    return choices.stream().findFirst();
  }

  private Optional<TagSelector> selector(String name) {
    return text(name).flatMap(text -> orTell(name, text, TagSelector::parse));
  }

  private List<TagSelector> selectors(String name) {
    return selector(name).stream().toList();
  }

  private Optional<String> cidr() {
    return text("cidr")
        .flatMap(text ->
            orTell(
                "cidr",
                text,
                range -> {
                  if (AddressRange.parse(range).isEmpty()) {
                    throw new IllegalArgumentException(
                        range + " is no range of addresses, such as 10.0.0.0/24 or fd00::/64");
                  }
                  return range;
                }));
  }

  private Optional<Duration> leaseLength() {
    long seconds = options.whole("nodeLeaseDurationSeconds").orElse(0);
    if (seconds < 0) {
      problems.add(FIELD + "nodeLeaseDurationSeconds is " + seconds + ", but must not be negative");
    } else if (seconds == 0 && options.has("nodeLeaseDurationSeconds")) {
      warnings.add(
          FIELD
              + "nodeLeaseDurationSeconds: 0 has no effect: whether leases are renewed is decided"
              + " by the controllers that run");
    }
    return seconds > 0 ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty();
  }

  private <T> Optional<T> orTell(String name, String text, Function<String, T> reader) {
    try {
      return Optional.of(reader.apply(text));
    } catch (IllegalArgumentException wrong) {
      problems.add(FIELD + name + ": " + wrong.getMessage());
      return Optional.empty();
    }
  }
}
