package dev.sluice.store;

import dev.sluice.model.ObjectKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The checksum of a row. SQLite checks its own structures, but a flipped bit inside a text or a
 * number would pass as another text or number.
 */
final class Checksum {
  private Checksum() {}

  static long of(long revision) {
    var sum = new CRC32C();
    sum.update(ByteBuffer.allocate(Long.BYTES).putLong(revision).flip());
    return sum.getValue();
  }

  static long of(long revision, ObjectKey key, Encoded json) {
    var kind = key.kind();
    // No separator can stand inside a name, so different keys never give the same text.
    String text =
        String.join(
            "\n",
            Long.toString(revision),
            kind.group(),
            kind.version(),
            kind.kind(),
            kind.plural(),
            Boolean.toString(kind.namespaced()),
            key.namespace(),
            key.name(),
            "");
    var sum = new CRC32C();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    sum.update(json.bytes());
    return sum.getValue();
  }
}
