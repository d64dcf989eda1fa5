package dev.sluice.apiserver.http.spdy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.TreeMap;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

class HeaderBlocksTest {
  private final HeaderBlocks blocks = new HeaderBlocks();

  private static TreeMap<String, String> headers(String... words) {
    var headers = new TreeMap<String, String>();
    for (int i = 0; i < words.length; i += 2) {
      headers.put(words[i], words[i + 1]);
    }
    return headers;
  }

  @Test
  void theWordsAreThoseOfTheProtocol() {
    // The second line of a packed text names the sum of the words that it begins with.
    byte[] packed = blocks.pack(headers());

    assertThat(HexFormat.of().formatHex(packed, 2, 6)).isEqualTo("e3c6a7c2");
  }

  @Test
  void blocksAreUnpackedInTheirOrder() throws SpdyException {
    var first = headers("streamtype", "error", "port", "80", "requestid", "0");
    var second = headers("streamtype", "data", "port", "80", "requestid", "0");

    assertThat(blocks.unpack(blocks.pack(first))).isEqualTo(first);
    assertThat(blocks.unpack(blocks.pack(headers()))).isEmpty();
    assertThat(blocks.unpack(blocks.pack(second))).isEqualTo(second);
  }

  @Test
  void whatIsNotPackedIsRefused() {
    assertThatThrownBy(() -> blocks.unpack(new byte[] {1, 2, 3, 4}))
        .isInstanceOf(SpdyException.class)
        .hasMessageContaining("cannot be unpacked");
  }

  @Test
  void otherWordsAreRefused() {
    var deflater = new Deflater();
    deflater.setDictionary(new byte[] {1, 2, 3});
    deflater.setInput(new byte[4]);
    byte[] packed = new byte[100];
    deflater.deflate(packed, 0, packed.length, Deflater.SYNC_FLUSH);
    deflater.end();

    assertThatThrownBy(() -> blocks.unpack(packed)).hasMessageContaining("another version");
  }

  @Test
  void whatUnpacksToFarTooMuchIsRefused() {
    byte[] packed = blocks.pack(headers("a", "x".repeat(1 << 20)));

    assertThatThrownBy(() -> blocks.unpack(packed)).hasMessageContaining("longer than 65536");
  }

  @Test
  void aHeaderThatSaysItIsLongerThanItIsIsRefused() {
    var deflater = new Deflater();
    deflater.setInput(new byte[] {0, 0, 0, 1, 0x7f, 0, 0, 0});
    byte[] packed = new byte[100];
    deflater.deflate(packed, 0, packed.length, Deflater.SYNC_FLUSH);
    deflater.end();

    assertThatThrownBy(() -> blocks.unpack(packed)).hasMessageContaining("and has not");
  }
}
