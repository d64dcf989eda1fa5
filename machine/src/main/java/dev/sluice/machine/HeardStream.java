package dev.sluice.machine;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/** A stream of which another one hears whatever is read. */
final class HeardStream extends FilterInputStream {
  private final Consumer<byte[]> ear;

  HeardStream(InputStream source, Consumer<byte[]> ear) {
    super(source);
    this.ear = ear;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int count = super.read(bytes, from, length);
    if (count > 0) {
      ear.accept(Arrays.copyOfRange(bytes, from, from + count));
    }
    return count;
  }
}
