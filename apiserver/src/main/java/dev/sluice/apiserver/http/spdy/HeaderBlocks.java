package dev.sluice.apiserver.http.spdy;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The compressed headers of SPDY streams. All blocks of one direction of a connection are one
 * compressed stream with a dictionary that both sides know.
 *
 * <p>Threads: confined to one.
 */
public final class HeaderBlocks implements AutoCloseable {
  /** The dictionary of the protocol's third version: words, each preceded by its length. */
  private static final String WORDS =
      "options|head|post|put|delete|trace|accept|accept-charset|accept-encoding|accept-language"
          + "|accept-ranges|age|allow|authorization|cache-control|connection|content-base"
          + "|content-encoding|content-language|content-length|content-location|content-md5"
          + "|content-range|content-type|date|etag|expect|expires|from|host|if-match"
          + "|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|location"
          + "|max-forwards|pragma|proxy-authenticate|proxy-authorization|range|referer|retry-after"
          + "|server|te|trailer|transfer-encoding|upgrade|user-agent|vary|via|warning"
          + "|www-authenticate|method|get|status|200 OK|version|HTTP/1.1|url|public|set-cookie"
          + "|keep-alive|origin";

  /** The rest of the dictionary, without lengths. */
  private static final String PHRASES =
      "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505"
          + "203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request"
          + "401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented"
          + "503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon,"
          + " Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,"
          + "application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age="
          + "gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

  private static final byte[] DICTIONARY = dictionary();
  private static final int MAX_SIZE = 64 << 10;
  private static final int MAX_HEADERS = 100;

  private final Deflater packer = new Deflater();
  private final Inflater unpacker = new Inflater();

  public HeaderBlocks() {
    packer.setDictionary(DICTIONARY);
  }

  private static byte[] dictionary() {
    var bytes = new ByteArrayOutputStream();
    for (String word : WORDS.split("\\|", -1)) {
      writeText(word, bytes);
    }
    bytes.writeBytes(PHRASES.getBytes(StandardCharsets.ISO_8859_1));
    return bytes.toByteArray();
  }

  private static void writeText(String text, ByteArrayOutputStream bytes) {
    byte[] written = text.getBytes(StandardCharsets.UTF_8);
    writeNumber(written.length, bytes);
    bytes.writeBytes(written);
  }

  private static void writeNumber(int number, ByteArrayOutputStream bytes) {
    bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  public byte[] pack(SortedMap<String, String> headers) {
    var plain = new ByteArrayOutputStream();
    writeNumber(headers.size(), plain);
    headers.forEach((name, value) -> {
      writeText(name, plain);
      writeText(value, plain);
    });
    packer.setInput(plain.toByteArray());
    var packed = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 10];
    int count;
    do {
      count = packer.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
      packed.write(buffer, 0, count);
    } while (count == buffer.length);
    return packed.toByteArray();
  }

  public SortedMap<String, String> unpack(byte[] block) throws SpdyException {
    try {
      ByteBuffer plain = ByteBuffer.wrap(inflate(block));
      int count = plain.getInt();
      if (count < 0 || count > MAX_HEADERS) {
        throw new SpdyException(
            "a stream has %d headers, more than %d".formatted(count, MAX_HEADERS));
      }
      var headers = new TreeMap<String, String>();
      for (int i = 0; i < count; i++) {
        headers.put(readText(plain), readText(plain));
      }
      return headers;
    } catch (DataFormatException | BufferUnderflowException broken) {
      throw new SpdyException("the headers of a stream cannot be unpacked: " + broken);
    }
  }

  private byte[] inflate(byte[] block) throws DataFormatException, SpdyException {
    unpacker.setInput(block);
    var plain = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 10];
    boolean more = true;
    while (more) {
      int count = unpacker.inflate(buffer);
      plain.write(buffer, 0, count);
      if (plain.size() > MAX_SIZE) {
        throw new SpdyException(
            "the headers of a stream are longer than %d bytes".formatted(MAX_SIZE));
      }
      boolean lacksWords = count == 0 && unpacker.needsDictionary();
      if (lacksWords) {
        setDictionary();
      }
      more = count > 0 || lacksWords;
    }
    return plain.toByteArray();
  }

  private void setDictionary() throws SpdyException {
    try {
      unpacker.setDictionary(DICTIONARY);
    } catch (IllegalArgumentException other) {
      throw new SpdyException("headers are packed with words of another version than SPDY/3");
    }
  }

  private static String readText(ByteBuffer plain) throws SpdyException {
    int length = plain.getInt();
    if (length < 0 || length > plain.remaining()) {
      throw new SpdyException("a header says it has %d bytes, and has not".formatted(length));
    }
    byte[] text = new byte[length];
    plain.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    packer.end();
    unpacker.end();
  }
}
