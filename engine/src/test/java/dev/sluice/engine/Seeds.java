package dev.sluice.engine;

import java.util.stream.LongStream;

/** The seeds of a random test: always the same, so that it fails for everybody or for nobody. */
public final class Seeds {
  private Seeds() {}

  /** The first so many; if {@code -Dseed=} names one, that one alone. */
  public static LongStream first(int many) {
    Long only = Long.getLong("seed");
    return only != null ? LongStream.of(only) : LongStream.range(0, many);
  }
}
