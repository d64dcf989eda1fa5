package dev.sluice.apiserver.http.spdy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

class HeaderBlocksTest {
  private final HeaderBlocks blocks = new HeaderBlocks();

  private static SortedMap<String, String> headers(String... words) {
    var headers = new TreeMap<String, String>();
    for (int i = 0; i < words.length; i += 2) {
      headers.put(words[i], words[i + 1]);
    }
    return headers;
  }

  @Test
  void theWordsAreThoseOfTheProtocol() {
    // A packed text names the sum of the words that it begins with.
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
  void uncompressedBlockIsRefused() {
    assertThatThrownBy(() -> blocks.unpack(new byte[] {1, 2, 3, 4}))
        .isInstanceOf(SpdyException.class)
        .hasMessageContaining("cannot be unpacked");
  }

  @Test
  void otherWordsAreRefused() {
    byte[] packed = packed(new byte[] {1, 2, 3}, new byte[4]);

    assertThatThrownBy(() -> blocks.unpack(packed)).hasMessageContaining("another version");
  }

  @Test
  void whatUnpacksToFarTooMuchIsRefused() {
    byte[] packed = blocks.pack(headers("a", "x".repeat(1 << 20)));

    assertThatThrownBy(() -> blocks.unpack(packed)).hasMessageContaining("longer than 65536");
  }

  @Test
  void aHeaderThatSaysItIsLongerThanItIsIsRefused() {
    byte[] packed = packed(new byte[0], new byte[] {0, 0, 0, 1, 0x7f, 0, 0, 0});

    assertThatThrownBy(() -> blocks.unpack(packed)).hasMessageContaining("and has not");
  }

  /** Packs what no good client packs, with words of its own. */
  private static byte[] packed(byte[] words, byte[] plain) {
    var deflater = new Deflater();
    if (words.length > 0) {
      deflater.setDictionary(words);
    }
    deflater.setInput(plain);
    byte[] packed = new byte[100];
    int count = deflater.deflate(packed, 0, packed.length, Deflater.SYNC_FLUSH);
    deflater.end();
    return Arrays.copyOf(packed, count);
  }
}
