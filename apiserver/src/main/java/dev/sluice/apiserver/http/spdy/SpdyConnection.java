package dev.sluice.apiserver.http.spdy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.SortedMap;

/**
 * The server's side of one SPDY connection: parses the frames of the client wherever they are
 * split, and writes those of the server.
 *
 * <p>Frames that mean nothing to a server, such as SETTINGS and WINDOW_UPDATE, are ignored: clients
 * that forward ports over SPDY use no flow control.
 *
 * <p>Threads: confined to one; static methods are safe.
 */
public final class SpdyConnection implements AutoCloseable {
  /** The reason why a stream is reset. */
  public enum Refusal {
    PROTOCOL_ERROR(1),
    REFUSED(3);

    private final int code;

    Refusal(int code) {
      this.code = code;
    }
  }

  /** The receiver of the client's frames. */
  public interface Listener {
    /** The client opened a stream and waits for a reply. */
    void opened(int stream, SortedMap<String, String> headers);

    /**
     * @param last whether the client closes its side of the stream
     */
    void said(int stream, byte[] bytes, boolean last);

    /** The client reset a stream. */
    void reset(int stream);

    /** The client sent a ping and expects the same number back. */
    void pinged(int number);
  }

  private static final int VERSION = 3;
  private static final int SYN_STREAM = 1;
  private static final int SYN_REPLY = 2;
  private static final int RST_STREAM = 3;
  private static final int PING = 6;
  private static final int CONTROL = 1 << 31;
  private static final int FIN = 1;
  private static final int HEAD = 8;
  private static final int SYN_FIELDS = 10;
  private static final int MAX_FRAME = 1 << 20;

  private final Listener listener;
  private final HeaderBlocks headers = new HeaderBlocks();
  private byte[] rest = new byte[0];

  public SpdyConnection(Listener listener) {
    this.listener = listener;
  }

  /** Parses the next bytes from the client. */
  public void read(byte[] bytes) throws SpdyException {
    byte[] all = Arrays.copyOf(rest, rest.length + bytes.length);
    System.arraycopy(bytes, 0, all, rest.length, bytes.length);
    int at = 0;
    while (all.length - at >= HEAD) {
      ByteBuffer head = ByteBuffer.wrap(all, at, HEAD);
      int first = head.getInt();
      int second = head.getInt();
      int length = second & 0xffffff;
      if (length > MAX_FRAME) {
        throw new SpdyException(
            "a frame of %d bytes is larger than %d".formatted(length, MAX_FRAME));
      }
      if (all.length - at - HEAD < length) {
        break;
      }
      take(first, second >>> 24, Arrays.copyOfRange(all, at + HEAD, at + HEAD + length));
      at += HEAD + length;
    }
    rest = Arrays.copyOfRange(all, at, all.length);
  }

  private void take(int first, int flags, byte[] body) throws SpdyException {
    boolean last = (flags & FIN) != 0;
    if ((first & CONTROL) == 0) {
      listener.said(first, body, last);
      return;
    }
    if (((first >>> 16) & 0x7fff) != VERSION) {
      throw new SpdyException("only SPDY of version 3 is spoken");
    }
    switch (first & 0xffff) {
      case SYN_STREAM -> {
        int stream = number(body, SYN_FIELDS);
        listener.opened(stream, headers.unpack(Arrays.copyOfRange(body, SYN_FIELDS, body.length)));
        if (last) {
          listener.said(stream, new byte[0], true);
        }
      }
      case RST_STREAM -> listener.reset(number(body, 2 * Integer.BYTES));
      case PING -> listener.pinged(number(body, Integer.BYTES));
      default -> {}
    }
  }

  /** The number at the start of a frame, which must have a minimum length. */
  private static int number(byte[] body, int minimum) throws SpdyException {
    if (body.length < minimum) {
      throw new SpdyException("a frame has only %d bytes".formatted(body.length));
    }
    return ByteBuffer.wrap(body).getInt() & Integer.MAX_VALUE;
  }

  /**
   * Accepts a stream. Replies must be sent in the order in which they were made.
   *
   * @return the bytes to send, as from every other method here
   */
  public byte[] reply(int stream) {
    byte[] block = headers.pack(Collections.emptySortedMap());
    return control(SYN_REPLY, Integer.BYTES + block.length).putInt(stream).put(block).array();
  }

  /** A frame of data on a stream, which may be its last. */
  public static byte[] say(int stream, byte[] bytes, boolean last) {
    return ByteBuffer.allocate(HEAD + bytes.length)
        .putInt(stream)
        .putInt((last ? FIN : 0) << 24 | bytes.length)
        .put(bytes)
        .array();
  }

  public static byte[] refuse(int stream, Refusal why) {
    return control(RST_STREAM, 2 * Integer.BYTES).putInt(stream).putInt(why.code).array();
  }

  public static byte[] ping(int number) {
    return control(PING, Integer.BYTES).putInt(number).array();
  }

  private static ByteBuffer control(int type, int length) {
    return ByteBuffer.allocate(HEAD + length).putInt(CONTROL | VERSION << 16 | type).putInt(length);
  }

  @Override
  public void close() {
    headers.close();
  }
}
