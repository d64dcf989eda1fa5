package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Value;
import java.math.BigInteger;
import java.util.SortedMap;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** sprig's random functions, with a given generator. */
public final class RandomFunctions {
  private static final String DIGITS = "0123456789";
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final int MAX_LENGTH = 10_000;

  private RandomFunctions() {}

  public static SortedMap<String, TemplateFunction> of(RandomGenerator random) {
    return new Catalog()
        .add("randInt", 2, a -> between(a.whole(0), a.whole(1), random))
        .add("randNumeric", 1, a -> drawn(DIGITS, a.size(0), random))
        .add("randAlpha", 1, a -> drawn(LETTERS, a.size(0), random))
        .add("randAlphaNum", 1, a -> drawn(LETTERS + DIGITS, a.size(0), random))
        .add("uuidv4", 0, _ -> new Value.Text(uuid(random)))
        .functions();
  }

  private static Value between(BigInteger least, BigInteger end, RandomGenerator random) {
    if (least.compareTo(end) >= 0 || least.bitLength() > 62 || end.bitLength() > 62) {
      throw new TemplateException("there is no number from %s to below %s".formatted(least, end));
    }
    return new Value.Whole(random.nextLong(least.longValue(), end.longValue()));
  }

  private static Value drawn(String alphabet, int count, RandomGenerator random) {
    if (count < 0 || count > MAX_LENGTH) {
      throw new TemplateException(count + " characters are too many or too few");
    }
    var text = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return new Value.Text(text.toString());
  }

  private static String uuid(RandomGenerator random) {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() & ~(0b11L << 62)) | (0b10L << 62);
    return new UUID(high, low).toString();
  }
}
