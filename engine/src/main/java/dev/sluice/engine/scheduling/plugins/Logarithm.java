package dev.sluice.engine.scheduling.plugins;

/**
 * Natural logarithms in fixed-point numbers, so that they are the same on every machine.
 *
 * <p>Method: the whole part of the binary logarithm is the place of the highest bit. Each further
 * bit comes from squaring what remains, a number from 1 to 2: if the square reaches 2, the bit is
 * one and the square is halved. In the end the binary logarithm times ln 2 is the natural one.
 */
final class Logarithm {
  /** The number of fraction bits of a result. */
  static final int BITS = 30;

  /** ln 2, with 62 fraction bits. */
  private static final long LN_2 = 3196577161300663915L;

  private static final int PRECISION = 62;

  private Logarithm() {}

  /** The natural logarithm of a number from 1 on. */
  static long of(long number) {
    int whole = 63 - Long.numberOfLeadingZeros(number);
    long rest = number << (PRECISION - whole);
    long binary = whole;
    for (int bit = 0; bit < BITS; bit++) {
      // The square of a number with 62 fraction bits, of which the highest 64 bits are kept.
      long square = Math.multiplyHigh(rest, rest) << 2;
      boolean doubled = square < 0;
      rest = doubled ? square >>> 1 : square;
      binary = binary << 1 | (doubled ? 1 : 0);
    }
    return Math.multiplyHigh(binary << 2, LN_2);
  }
}
