import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * Makes the texts of {@code kubectl explain}: reads the descriptions of Kubernetes' API from the
 * comments of its published Protobuf files and writes them as one compressed file.
 *
 * <p>Run it from the root of the work tree, with Go installed, for a new version of Kubernetes:
 *
 * <pre>java dev/Descriptions.java v0.36.3</pre>
 *
 * <p>The file has a line {@code #MESSAGE, tab, description} for each message, followed by a line
 * {@code FIELD, tab, description} for each of its fields; a newline in a description is {@code \n}.
 */
final class Descriptions {
  private static final Path RESULT =
      Path.of("apiserver/src/main/resources/dev/sluice/apiserver/protobuf/descriptions.gz");
  private static final String ORIGIN =
      "#\tThe descriptions of Kubernetes' API, from the generated.proto files of k8s.io/api,"
          + " k8s.io/apimachinery and k8s.io/apiextensions-apiserver %s. Copyright The Kubernetes"
          + " Authors, Apache License 2.0.\n";
  private static final List<String> MODULES =
      List.of("api", "apimachinery", "apiextensions-apiserver");

  /** The versions that are served or could be; alpha and beta versions are not. */
  private static final Pattern STABLE =
      Pattern.compile("/(v[12]|resource|intstr|runtime)/generated\\.proto$");

  private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
  private static final Pattern MESSAGE = Pattern.compile("message (\\w+) \\{");
  private static final Pattern FIELD =
      Pattern.compile("\\s+(?:optional |repeated |map<.*> )(?:\\.?[\\w.]+ )?(\\w+) = \\d+;");

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var found = new TreeMap<String, Map<String, String>>();
    for (String module : MODULES) {
      try (var files = Files.walk(download("k8s.io/" + module + "@" + arguments[0]))) {
        files
            .filter(file -> STABLE.matcher(file.toString()).find())
            .sorted()
            .forEach(file -> read(file, found));
      }
    }
    var text = new StringBuilder(ORIGIN.formatted(arguments[0]));
    found.forEach((message, fields) ->
        fields.forEach((field, description) ->
            text.append(field.isEmpty() ? "#" + message : field)
                .append('\t')
                .append(description.replace("\\", "\\\\").replace("\n", "\\n"))
                .append('\n')));
    var bytes = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(bytes)) {
      zip.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
    Files.createDirectories(RESULT.getParent());
    Files.write(RESULT, bytes.toByteArray());
    System.out.printf("%s: %d messages, %d bytes%n", RESULT, found.size(), bytes.size());
  }

  private static Path download(String module) throws IOException, InterruptedException {
    Process go =
        new ProcessBuilder("go", "mod", "download", "-json", module)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(go.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher directory = Pattern.compile("\"Dir\": \"([^\"]+)\"").matcher(said);
    if (go.waitFor() != 0 || !directory.find()) {
      throw new IOException("go mod download " + module + " said: " + said);
    }
    return Path.of(directory.group(1));
  }

  private static void read(Path file, Map<String, Map<String, String>> found) {
    String domain = "";
    Map<String, String> fields = new TreeMap<>();
    var comment = new ArrayList<String>();
    try {
      for (String line : Files.readAllLines(file)) {
        Matcher opened = MESSAGE.matcher(line);
        Matcher field = FIELD.matcher(line);
        Matcher named = PACKAGE.matcher(line);
        if (line.strip().startsWith("//")) {
          comment.add(line.strip().replaceFirst("// ?", ""));
          continue;
        }
        if (named.lookingAt()) {
          domain = named.group(1);
        } else if (opened.lookingAt()) {
          fields = new TreeMap<>(Map.of("", description(comment)));
          found.put(domain + "." + opened.group(1), fields);
        } else if (field.lookingAt() && !comment.isEmpty()) {
          fields.put(field.group(1), description(comment));
        }
        comment.clear();
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * The description in a comment, as Kubernetes itself publishes it: paragraphs stay, lines of a
   * paragraph are joined, indented lines are kept, and notes to its generators are left out.
   */
  private static String description(List<String> comment) {
    var text = new StringBuilder();
    for (String line : comment) {
      String bare = line.strip();
      if (bare.equals("---")) {
        break;
      }
      if (bare.startsWith("TODO") || bare.startsWith("+")) {
        continue;
      }
      if (bare.isEmpty()) {
        text.append("\n\n");
      } else if (line.startsWith(" ") || line.startsWith("\t")) {
        text.append('\n').append(line.stripTrailing()).append('\n');
      } else {
        text.append(text.isEmpty() || text.charAt(text.length() - 1) == '\n' ? "" : " ")
            .append(bare);
      }
    }
    return text.toString().strip();
  }
}
