package dev.sluice.testkit;

import java.util.stream.LongStream;

/** The seeds of a random test: always the same, so that it fails everywhere or nowhere. */
public final class Seeds {
  private Seeds() {}

  /** So many seeds from the first on; if {@code -Dseed=} names one, that one alone. */
  public static LongStream from(long first, int many) {
    Long only = Long.getLong("seed");
    return only != null ? LongStream.of(only) : LongStream.range(first, first + many);
  }
}
