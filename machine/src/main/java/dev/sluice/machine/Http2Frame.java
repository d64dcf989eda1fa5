package dev.sluice.machine;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** A frame of HTTP/2, as it comes and goes on the wire. */
final class Http2Frame {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RESET = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;

  static final int END_OF_STREAM = 1;
  static final int ACKNOWLEDGED = 1;
  static final int END_OF_HEADERS = 4;
  private static final int PADDED = 8;

  /** The frame size that every peer must accept; more must be agreed on first. */
  static final int LONGEST = 16 << 10;

  private final int kind;
  private final int flags;
  private final int stream;
  private final byte[] payload;

  Http2Frame(int kind, int flags, int stream, byte[] payload) {
    this.kind = kind;
    this.flags = flags;
    this.stream = stream;
    this.payload = payload;
  }

  /**
   * @throws IOException also if what comes cannot be a frame
   */
  static Http2Frame read(DataInputStream in) throws IOException {
    int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
    if (length > LONGEST) {
      throw new IOException("the answer is no HTTP/2");
    }
    int kind = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt() & Integer.MAX_VALUE;
    byte[] payload = new byte[length];
    in.readFully(payload);
    return new Http2Frame(kind, flags, stream, payload);
  }

  void writeTo(OutputStream out) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var fields = new DataOutputStream(bytes);
    fields.writeByte(payload.length >>> 16);
    fields.writeShort(payload.length);
    fields.writeByte(kind);
    fields.writeByte(flags);
    fields.writeInt(stream);
    fields.write(payload);
    bytes.writeTo(out);
  }

  int kind() {
    return kind;
  }

  int stream() {
    return stream;
  }

  /** What an answer to a frame repeats of it. */
  byte[] payload() {
    return payload;
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** What a frame of data brings, without what only fills it. */
  byte[] content() {
    if (!has(PADDED) || payload.length == 0) {
      return payload;
    }
    int end = payload.length - (payload[0] & 0xff);
    return Arrays.copyOfRange(payload, 1, Math.max(1, end));
  }
}
