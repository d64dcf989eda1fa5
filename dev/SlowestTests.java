import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The test classes of a build that took longest, of all rooms, read from its test reports. The
 * build runs this in the repository's folder, with one argument: when the build began. Reports from
 * before belong to earlier builds.
 */
final class SlowestTests {
  private static final int SHOWN = 15;

  /** A test class of a room, and how long all its tests took. */
  record TestClass(String room, String name, Duration time) {}

  private SlowestTests() {}

  public static void main(String... arguments) throws IOException {
    List<TestClass> classes = read(Instant.parse(arguments[0]));
    Duration all = classes.stream().map(TestClass::time).reduce(Duration.ZERO, Duration::plus);
    System.out.printf("%d test classes took %s. The slowest:%n", classes.size(), minutes(all));
    classes.stream()
        .sorted(Comparator.comparing(TestClass::time).reversed())
        .limit(SHOWN)
        .forEach(SlowestTests::print);
  }

  private static void print(TestClass test) {
    double seconds = test.time().toMillis() / 1000.0;
    System.out.printf(Locale.ROOT, "%8.1f s  %-12s %s%n", seconds, test.room(), test.name());
  }

  private static String minutes(Duration time) {
    return "%d min %d s".formatted(time.toMinutes(), time.toSecondsPart());
  }

  private static List<TestClass> read(Instant begin) throws IOException {
    try (Stream<Path> rooms = Files.list(Path.of(""))) {
      return rooms
          .flatMap(room ->
              Stream.of("surefire", "failsafe")
                  .map(kind -> room.resolve("target", kind + "-reports")))
          .filter(Files::isDirectory)
          .flatMap(SlowestTests::reports)
          .filter(report ->
              !report.toFile().isDirectory()
                  && report.toFile().lastModified() >= begin.toEpochMilli())
          .map(SlowestTests::read)
          .toList();
    }
  }

  private static Stream<Path> reports(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
          .toList()
          .stream();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static TestClass read(Path report) {
    try (InputStream in = Files.newInputStream(report)) {
      XMLStreamReader suite = XMLInputFactory.newFactory().createXMLStreamReader(in);
      suite.nextTag();
      String name = suite.getAttributeValue(null, "name");
      double seconds = Double.parseDouble(suite.getAttributeValue(null, "time").replace(",", ""));
      return new TestClass(
          report.getName(0).toString(),
          name.substring(name.lastIndexOf('.') + 1),
          Duration.ofMillis(Math.round(seconds * 1000)));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (XMLStreamException malformed) {
      throw new IllegalStateException(report + " is not a test report", malformed);
    }
  }
}
