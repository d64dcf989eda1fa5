package dev.sluice.controllers.nodes;

import dev.sluice.model.IpAddress;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The addresses of one CIDR, of IPv4 or IPv6, each given out once until it is released. Past the
 * end of the CIDR they continue with the addresses behind it, as KWOK's do: nothing listens there,
 * and an error would be of no use.
 *
 * <p>Threads: safe.
 */
final class AddressRange {
  private static final Pattern CIDR = Pattern.compile("([^/]+)/(\\d{1,3})");
  private static final BigInteger MAX_INDEX = BigInteger.ONE.shiftLeft(24);

  private final ReentrantLock lock = new ReentrantLock();
  private final IpAddress base;
  private final BitSet used = new BitSet();
  private int lowestFree = 1;

  private AddressRange(IpAddress base) {
    this.base = base;
  }

  /** The range of a CIDR, if the string is one. */
  static Optional<AddressRange> parse(String cidr) {
    Matcher parts = CIDR.matcher(cidr);
    if (!parts.matches()) {
      return Optional.empty();
    }
    int prefix = Integer.parseInt(parts.group(2));
    return IpAddress.parse(parts.group(1))
        .filter(address -> prefix <= address.bits())
        .map(address -> new AddressRange(address.first(prefix)));
  }

  /** A free address, which is in use from now on. */
  String take() {
    lock.lock();
    try {
      int index = used.nextClearBit(lowestFree);
      used.set(index);
      lowestFree = index + 1;
      return base.plus(index).toString();
    } finally {
      lock.unlock();
    }
  }

  /** Marks an address as in use. */
  void use(String address) {
    lock.lock();
    try {
      index(address).ifPresent(used::set);
    } finally {
      lock.unlock();
    }
  }

  /** Marks an address as free. */
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
    return IpAddress.parse(address)
        .filter(known -> known.six() == base.six())
        .map(known -> known.number().subtract(base.number()))
        .filter(index -> index.signum() > 0 && index.compareTo(MAX_INDEX) < 0)
        .map(index -> OptionalInt.of(index.intValueExact()))
        .orElse(OptionalInt.empty());
  }
}
