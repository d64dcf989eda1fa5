package dev.sluice.controllers.nodes;

import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses from one CIDR, each given once until it comes back. Where the CIDR ends they go on
 * behind it, as KWOK's do: nobody listens there, and running out would help nobody.
 *
 * <p>Threads: safe.
 */
final class AddressRange {
  private static final Pattern CIDR =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})(?:/(\\d{1,2}))?");
  private static final int MOST = 1 << 24;

  private final ReentrantLock lock = new ReentrantLock();
  private final long base;
  private final BitSet used = new BitSet();
  private int lowestFree = 1;

  private AddressRange(long base) {
    this.base = base;
  }

  /** The range of an IPv4 CIDR, if the text is one. */
  static Optional<AddressRange> parse(String cidr) {
    Matcher parts = CIDR.matcher(cidr);
    if (!parts.matches() || parts.group(5) == null) {
      return Optional.empty();
    }
    int prefix = Integer.parseInt(parts.group(5));
    long address = number(parts);
    return address < 0 || prefix > 32
        ? Optional.empty()
        : Optional.of(new AddressRange(address & (0xffffffffL << (32 - prefix))));
  }

  private static long number(Matcher parts) {
    long number = 0;
    for (int group = 1; group <= 4; group++) {
      int part = Integer.parseInt(parts.group(group));
      if (part > 255) {
        return -1;
      }
      number = number << 8 | part;
    }
    return number;
  }

  /** An address that nobody has. */
  String take() {
    lock.lock();
    try {
      int index = used.nextClearBit(lowestFree);
      used.set(index);
      lowestFree = index + 1;
      return text(base + index);
    } finally {
      lock.unlock();
    }
  }

  /** Somebody has this address already. */
  void use(String address) {
    lock.lock();
    try {
      index(address).ifPresent(used::set);
    } finally {
      lock.unlock();
    }
  }

  /** Nobody has this address any more. */
  void release(String address) {
    lock.lock();
    try {
      index(address)
          .ifPresent(index -> {
            used.clear(index);
            lowestFree = Math.min(lowestFree, index);
          });
    } finally {
      lock.unlock();
    }
  }

  private OptionalInt index(String address) {
    Matcher parts = CIDR.matcher(address);
    long index = parts.matches() ? number(parts) - base : -1;
    return index > 0 && index < MOST ? OptionalInt.of((int) index) : OptionalInt.empty();
  }

  private static String text(long address) {
    return "%d.%d.%d.%d"
        .formatted(address >> 24 & 0xff, address >> 16 & 0xff, address >> 8 & 0xff, address & 0xff);
  }
}
