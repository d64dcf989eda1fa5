package dev.sluice.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The outcomes of scenarios in the XML of JUnit, one test case each. */
final class JUnitReport {
  private JUnitReport() {}

  static void write(Path file, List<TestOutcome> outcomes) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      Files.createDirectories(folder == null ? file.toAbsolutePath() : folder);
      try (Writer text = Files.newBufferedWriter(file)) {
        write(XMLOutputFactory.newInstance().createXMLStreamWriter(text), outcomes);
      }
    } catch (IOException unwritable) {
      throw UserError.failure(
          "%s cannot be written: %s; name another --junit"
              .formatted(file, TextFile.why(unwritable)));
    } catch (XMLStreamException defect) {
      throw new IllegalStateException("a report is well-formed XML", defect);
    }
  }

  private static void write(XMLStreamWriter xml, List<TestOutcome> outcomes)
      throws XMLStreamException {
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeStartElement("testsuite");
    xml.writeAttribute("name", "sluice test");
    xml.writeAttribute("tests", String.valueOf(outcomes.size()));
    xml.writeAttribute(
        "failures",
        String.valueOf(outcomes.stream().filter(one -> !one.failures().isEmpty()).count()));
    xml.writeAttribute("time", seconds(outcomes.stream().mapToDouble(TestOutcome::seconds).sum()));
    for (TestOutcome outcome : outcomes) {
      xml.writeStartElement("testcase");
      xml.writeAttribute("classname", "scenarios");
      xml.writeAttribute("name", outcome.scenario());
      xml.writeAttribute("time", seconds(outcome.seconds()));
      if (!outcome.failures().isEmpty()) {
        xml.writeStartElement("failure");
        xml.writeAttribute("message", outcome.failures().getFirst());
        xml.writeCharacters(String.join("\n", outcome.failures()));
        xml.writeEndElement();
      }
      xml.writeEndElement();
    }
    xml.writeEndElement();
    xml.writeEndDocument();
    xml.close();
  }

  private static String seconds(double time) {
    return String.format(Locale.ROOT, "%.3f", time);
  }
}
