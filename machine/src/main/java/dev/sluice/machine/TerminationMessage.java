package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Launch;
import dev.sluice.runtime.ContainerLogs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/** What a run said before it ended, in the file for it or at the end of its log. */
final class TerminationMessage {
  private static final int MAX_LENGTH = 4096;
  private static final int MAX_LOG = 2048;
  private static final int MAX_LINES = 80;

  private TerminationMessage() {}

  static String of(RunFolder folder, Launch.Message message, int exitCode)
      throws InterruptedException {
    try {
      String words = message.path().isEmpty() ? "" : Folders.head(folder.message(), MAX_LENGTH);
      return words.isEmpty() && message.orLogs() && exitCode != 0 ? logged(folder) : words;
    } catch (IOException unreadable) {
      return "the last words of the container cannot be read: " + unreadable;
    }
  }

  private static String logged(RunFolder folder) throws IOException, InterruptedException {
    var lines = new ByteArrayOutputStream();
    var question =
        new ContainerLogs.LogRequest(
            "",
            "",
            "",
            false,
            false,
            false,
            Optional.empty(),
            OptionalLong.of(MAX_LINES),
            OptionalLong.empty());
    var sink =
        new ContainerLogs.Sink() {
          @Override
          public void write(byte[] bytes) {
            lines.writeBytes(bytes);
          }

          @Override
          public boolean isAbandoned() {
            return false;
          }
        };
    new LogReader(question, folder.path(), sink).copy(Optional.empty());
    byte[] all = lines.toByteArray();
    int from = Math.max(0, all.length - MAX_LOG);
    return new String(all, from, all.length - from, StandardCharsets.UTF_8);
  }
}
