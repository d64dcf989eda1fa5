package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.QueueMapping.Rule;
import dev.sluice.controllers.configuration.file.Findings;
import dev.sluice.controllers.configuration.file.InvalidConfigurationException;
import dev.sluice.controllers.configuration.file.NameRules;
import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.controllers.configuration.file.SingleDocument;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The mapping file of Kueue's importer: a list of rules, each with {@code match} and {@code
 * toLocalQueue} or {@code skip}. An unknown field is an error here: a rule that matches more pods
 * than intended would put them into the wrong queue.
 */
public final class QueueMappingFile {
  private static final String QUEUE = "toLocalQueue";

  private QueueMappingFile() {}

  /**
   * @throws InvalidConfigurationException if the file is invalid
   * @throws dev.sluice.model.tree.MalformedText if the file is not YAML
   */
  public static QueueMapping read(String yaml) {
    List<Value> documents = Yaml.parseAll(yaml);
    if (documents.size() != 1
        || !(documents.getFirst() instanceof Items items)
        || items.values().isEmpty()) {
      throw SingleDocument.invalid(
          "is not one list of rules, each with match and %s or skip: true".formatted(QUEUE));
    }
    var findings = new Findings();
    var rules = new ArrayList<Rule>();
    for (int i = 0; i < items.values().size(); i++) {
      String path = "[%d]".formatted(i);
      if (items.values().get(i) instanceof Tree rule) {
        rules.add(rule(new Section(path, rule, findings)));
      } else {
        findings.wrong(path, "is not an object with match and %s or skip: true".formatted(QUEUE));
      }
    }
    List<String> problems = new ArrayList<>(findings.problems());
    problems.addAll(findings.warnings());
    if (!problems.isEmpty()) {
      throw new InvalidConfigurationException(problems);
    }
    return new QueueMapping(rules);
  }

  private static Rule rule(Section section) {
    Section match = section.section("match");
    String priorityClass = match.text("priorityClassName", "");
    SortedMap<String, String> labels = labels(match.section("labels"));
    match.end();
    Optional<String> queue = queue(section);
    section.end();
    return new Rule(priorityClass, labels, queue);
  }

  private static SortedMap<String, String> labels(Section section) {
    var labels = new TreeMap<String, String>();
    for (String name : section.names()) {
      labels.put(name, section.text(name, ""));
    }
    return labels;
  }

  private static Optional<String> queue(Section section) {
    String queue = section.text(QUEUE, "");
    boolean skip = section.flag("skip", false);
    if (skip == !queue.isEmpty()) {
      section.wrong(
          QUEUE,
          skip
              ? "has no effect beside skip: true; leave one of them out"
              : "is missing; name a LocalQueue, or say skip: true");
    } else if (!skip && !NameRules.isSubdomain(queue)) {
      section.wrong(QUEUE, "%s is no name of a LocalQueue".formatted(section.shown(QUEUE)));
    }
    return skip ? Optional.empty() : Optional.of(queue);
  }
}
