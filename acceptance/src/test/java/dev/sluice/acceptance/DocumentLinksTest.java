package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Documents that sources and other documents refer to: each exists, and has the heading that is
 * named after {@code #}.
 *
 * <p>In Java files a citation is a path from the root of the repository that ends in {@code .md},
 * with or without an anchor; in Markdown files also every link that is no address of another site.
 */
class DocumentLinksTest {
  private static final Path REPOSITORY = SluiceProcess.repository();
  private static final Pattern CITATION = Pattern.compile("\\bdocs/[\\w./-]+?\\.md\\b(#[\\w-]+)?");
  private static final Pattern LINK = Pattern.compile("]\\(([^()\\s]+)\\)");
  private static final Pattern ADDRESS = Pattern.compile("[a-z][a-z0-9+.-]*:.*");
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?)[ #]*$");

  /** Something that a file refers to, from a folder. */
  private record Reference(Path file, Path folder, String to) {

    boolean isBroken() {
      URI uri = URI.create(to);
      Path target = uri.getPath().isEmpty() ? file : folder.resolve(uri.getPath()).normalize();
      return !Files.exists(target)
          || (uri.getFragment() != null && !anchors(read(target)).contains(uri.getFragment()));
    }

    @Override
    public String toString() {
      return REPOSITORY.relativize(file) + ": " + to;
    }
  }

  @Test
  void citedPlaceExists() {
    var references = new ArrayList<Reference>();
    for (Path file : sources()) {
      String text = read(file);
      matches(CITATION, text, 0).forEach(to -> references.add(new Reference(file, REPOSITORY, to)));
      if (isMarkdown(file)) {
        Path folder = file.resolveSibling("");
        matches(LINK, withoutExamples(text), 1).stream()
            .filter(to -> !ADDRESS.matcher(to).matches())
            .forEach(to -> references.add(new Reference(file, folder, to)));
      }
    }

    assertThat(references).anyMatch(one -> one.file().toString().endsWith(".java"));
    assertThat(references.stream().filter(Reference::isBroken)).isEmpty();
  }

  @Test
  void anchorsAreThoseOfGitHub() {
    String text =
        """
        # Order: `a_b`, then [the rest](x.md#y) #
        ## Same
        ### Same
        ```
        # no heading
        ```
        ## v1beta1 & v1beta2 – über-all
        """;

    assertThat(anchors(text))
        .containsExactly("order-a_b-then-the-rest", "same", "same-1", "v1beta1--v1beta2--über-all");
  }

  private static List<Path> sources() {
    var sources = new ArrayList<Path>();
    try {
      Files.walkFileTree(
          REPOSITORY,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              String name = folder.getFileName().toString();
              boolean ours = folder.equals(REPOSITORY) || !name.startsWith(".");
              return ours && !name.equals("target")
                  ? FileVisitResult.CONTINUE
                  : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (isMarkdown(file) || file.toString().endsWith(".java")) {
                sources.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new AssertionError("cannot list the sources", e);
    }
    return sources;
  }

  private static boolean isMarkdown(Path file) {
    return file.toString().endsWith(".md");
  }

  private static List<String> matches(Pattern pattern, String text, int group) {
    return pattern.matcher(text).results().map(found -> found.group(group)).toList();
  }

  /** The anchors of a document's headings; one that returns gets a number. */
  private static Set<String> anchors(String document) {
    var anchors = new LinkedHashSet<String>();
    Map<String, Integer> seen = new HashMap<>();
    Matcher headings = HEADING.matcher(withoutExamples(document));
    while (headings.find()) {
      String anchor =
          headings
              .group(1)
              .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{M}\\p{N}\\p{Pc} -]", "")
              .replace(' ', '-');
      int before = seen.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? anchor : anchor + "-" + before);
    }
    return anchors;
  }

  private static String withoutExamples(String document) {
    return FENCED.matcher(document).replaceAll("");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError("cannot read " + file, e);
    }
  }
}
