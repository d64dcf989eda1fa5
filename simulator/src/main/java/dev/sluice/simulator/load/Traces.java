package dev.sluice.simulator.load;

import dev.sluice.model.tree.MalformedText;
import java.util.List;

/** The formats of traces. */
public final class Traces {
  private Traces() {}

  /**
   * The jobs of a trace, in the order of their times.
   *
   * @param file its name, of which the end says the format
   * @param processorsPerPod only for the Standard Workload Format
   * @throws MalformedText with the file and the line
   */
  public static List<TraceJob> read(String file, String text, int processorsPerPod) {
    try {
      return file.endsWith(".swf") ? SwfTrace.read(text, processorsPerPod) : CsvTrace.read(text);
    } catch (MalformedText malformed) {
      throw new MalformedText("%s: %s".formatted(file, malformed.getMessage()));
    }
  }
}
