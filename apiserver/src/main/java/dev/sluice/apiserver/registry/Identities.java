package dev.sluice.apiserver.registry;

import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * The generator of uids and of the suffixes of generated names. The same seed gives the same
 * sequence. Threads: safe.
 */
final class Identities {
  /** Letters and digits that neither form words nor look alike. */
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX_LENGTH = 5;
  private static final int MAX_PREFIX = 58;
  private static final long VERSION_MASK = 0xf000L;
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT_MASK = 0x3fffffffffffffffL;

  private final ReentrantLock lock = new ReentrantLock();
  private final RandomGenerator random;

  Identities(RandomGenerator random) {
    this.random = random;
  }

  String uid() {
    lock.lock();
    try {
      long high = (random.nextLong() & ~VERSION_MASK) | VERSION_4;
      long low = (random.nextLong() & VARIANT_MASK) | Long.MIN_VALUE;
      return new UUID(high, low).toString();
    } finally {
      lock.unlock();
    }
  }

  /** A name that starts with the prefix, or as much of it as fits. */
  String name(String prefix) {
    var name = new StringBuilder(prefix.substring(0, Math.min(prefix.length(), MAX_PREFIX)));
    lock.lock();
    try {
      for (int i = 0; i < SUFFIX_LENGTH; i++) {
        name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
      }
    } finally {
      lock.unlock();
    }
    return name.toString();
  }
}
