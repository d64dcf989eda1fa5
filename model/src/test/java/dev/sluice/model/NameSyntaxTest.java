package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The patterns that Kubernetes documents, against the code that does without them. */
class NameSyntaxTest {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
  private static final Pattern NAME_PART =
      Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
  private static final Pattern PORT =
      Pattern.compile("(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?");
  private static final Pattern VARIABLE = Pattern.compile("[ -<>-~]*");
  private static final String CHARACTERS = "aaz09-..AZ_/é=\n";
  private static final int TEXTS = 50_000;
  private static final int LONGEST = 7;

  private final Random random = new Random(1);

  private String text() {
    var text = new StringBuilder();
    for (int i = random.nextInt(LONGEST); i > 0; i--) {
      text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    return text.toString();
  }

  @Test
  void namesAreJudgedAsTheDocumentedPatternsJudgeThem() {
    for (int i = 0; i < TEXTS; i++) {
      String text = text();
      check(text, NameSyntax.labelProblem(text), LABEL);
      check(text, NameSyntax.subdomainProblem(text), SUBDOMAIN);
      check(text, NameSyntax.portNameProblem(text), PORT);
      check(text, NameSyntax.variableProblem(text), VARIABLE);
      if (!text.isEmpty()) {
        check(text, NameSyntax.labelValueProblem(text), NAME_PART);
      }
      if (!text.contains("/")) {
        check(text, NameSyntax.qualifiedNameProblem(text), NAME_PART);
      }
    }
  }

  private static void check(String text, String problem, Pattern pattern) {
    assertThat(problem.isEmpty()).as("\"%s\"", text).isEqualTo(pattern.matcher(text).matches());
  }
}
