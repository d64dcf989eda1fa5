package dev.sluice.conformance.go;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.RequiresGo;
import dev.sluice.controllers.nodes.template.Template;
import dev.sluice.controllers.nodes.template.TemplateException;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our Go templates against Go's own: the cases that Go's tests publish, and cases of ours that are
 * rendered by Go at the same time. Messages may differ; whether there is one may not.
 */
@RequiresGo
@Timeout(300)
class TemplateDifferentialIT {
  private static final String SPRIG = "github.com/Masterminds/sprig/v3 v3.3.0";

  /** Cases of Go that we do not follow: JSON has no complex numbers, and one kind of number. */
  private static final Pattern OTHER_NUMBERS = Pattern.compile("[0-9]i\\b|eq 2 2\\.0");

  private static final String CASES = "/go/templates/";

  private static final List<String> VERBS =
      List.of("v", "s", "q", "d", "x", "X", "t", "f", "g", "e", "c", "o", "b", "z");
  private static final List<String> FLAGS =
      List.of("", "5", "-5", "05", ".2", "8.3", "+", " ", "-08", "+06.1");
  private static final List<String> VALUES =
      List.of(
          "7",
          "-7",
          "0",
          "`hé\"l`",
          "true",
          "1.5",
          "-0.25",
          "1234.5",
          "100000.25",
          ".list",
          ".map",
          ".none");

  private final Path folder;

  TemplateDifferentialIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void casesOfGoItself() {
    List<Tree> cases =
        GoProgram.published(
            folder, "text/template", "/go/published/published_test.go", "PUBLISHED_CASES");
    var differences = new ArrayList<String>();
    int compared = 0;
    for (Tree published : cases) {
      String template = published.text("template");
      if (OTHER_NUMBERS.matcher(template).find()) {
        continue;
      }
      compared++;
      String want = published.flag("fails") ? "failed" : "-> " + published.text("output");
      compare(template, want, ours(template, published.at("data")), differences);
    }

    assertThat(differences).as("of %d cases", compared).isEmpty();
    assertThat(compared).isGreaterThan(200);
  }

  @Test
  void casesOfOurs() {
    compareWithGo(lines("cases.txt"), data(), false);
  }

  @Test
  void functionsOfSprig() {
    compareWithGo(lines("sprig.txt"), data(), true);
  }

  private static List<String> lines(String file) {
    return GoProgram.resource(CASES + file)
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.replace("\\n", "\n"))
        .toList();
  }

  private static Tree data() {
    return Yaml.parseAll(GoProgram.resource(CASES + "data.yaml")).getFirst().asTree();
  }

  @Test
  void formats() {
    Tree data = Tree.of("list", List.of(1, "a b"), "map", Tree.of("k", 1, "j", "x"));
    var templates = new ArrayList<String>();
    for (String verb : VERBS) {
      for (String flags : FLAGS) {
        for (String value : VALUES) {
          if (isBinary(verb) && value.contains(".") && !value.startsWith(".")) {
            continue;
          }
          templates.add("{{printf \"[%" + flags + verb + "]\" " + value + "}}");
        }
      }
    }

    compareWithGo(templates, data, false);
  }

  /** Verbs for the bits of a number, which we do not have for those with a point. */
  private static boolean isBinary(String verb) {
    return List.of("x", "X", "b").contains(verb);
  }

  private void compareWithGo(List<String> templates, Tree data, boolean sprig) {
    List<Tree> answers =
        new GoProgram(folder, "templates", SPRIG)
            .ask(
                templates.stream()
                    .map(template -> Tree.of("template", template, "data", data, "sprig", sprig))
                    .toList());
    var differences = new ArrayList<String>();
    for (int i = 0; i < templates.size(); i++) {
      Tree answer = answers.get(i);
      String want = answer.text("error").isEmpty() ? "-> " + answer.text("output") : "failed";
      compare(templates.get(i), want, ours(templates.get(i), data), differences);
    }

    assertThat(differences).as("of %d templates", templates.size()).isEmpty();
  }

  private static void compare(String template, String want, String got, List<String> differences) {
    if (!want.equals(got)) {
      differences.add("%s%n  Go:  %s%n  we:  %s%n".formatted(template, want, got));
    }
  }

  private static String ours(String template, Value data) {
    try {
      return "-> " + Template.parse(template, new TreeMap<>()).render(data);
    } catch (TemplateException failed) {
      return "failed";
    }
  }
}
