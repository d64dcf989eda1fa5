package dev.sluice.controllers.configuration.file;

import dev.sluice.model.LabelSelector;
import dev.sluice.model.SelectorValidation;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Label selectors in a configuration file. */
public final class SelectorSection {
  /** The label with the name of a namespace. */
  public static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

  private SelectorSection() {}

  public static Tree allNamespacesBut(String... names) {
    Tree others = Tree.of("key", NAMESPACE_NAME, "operator", "NotIn", "values", List.of(names));
    return Tree.of("matchExpressions", List.of(others));
  }

  /** Whether a namespace without further labels is selected. */
  public static boolean selectsNamespace(Tree selector, String name) {
    SortedMap<String, String> labels = new TreeMap<>();
    labels.put(NAMESPACE_NAME, name);
    return new LabelSelector(selector).matches(labels);
  }

  /** Reads a selector; an invalid one is reported and still returned. */
  public static Tree read(Section selector) {
    Section labels = selector.section("matchLabels");
    for (String key : labels.names()) {
      checkKey(labels, key, key);
      checkValue(labels, key, labels.text(key, ""));
    }
    for (Section expression : selector.sections("matchExpressions")) {
      readExpression(expression);
    }
    selector.end();
    return selector.tree();
  }

  private static void readExpression(Section expression) {
    checkKey(expression, "key", expression.text("key", ""));
    String operator =
        expression.choice("operator", SelectorValidation.OPERATORS.toArray(String[]::new));
    List<String> values = expression.texts("values");
    values.forEach(value -> checkValue(expression, "values", value));
    switch (SelectorValidation.Values.of(operator, !values.isEmpty())) {
      case VALID -> {}
      case MISSING ->
          expression.wrong(
              "values", "is empty; name at least one value for the operator " + operator);
      case NOT_ALLOWED ->
          expression.wrong("values", "must not be given for the operator " + operator);
    }
    expression.end();
  }

  private static void checkKey(Section section, String field, String key) {
    if (!NameRules.isQualified(key)) {
      section.wrong(field, "\"%s\" is not the key of a label".formatted(key));
    }
  }

  private static void checkValue(Section section, String field, String value) {
    if (!NameRules.isLabelValue(value)) {
      section.wrong(field, "\"%s\" is not the value of a label".formatted(value));
    }
  }
}
