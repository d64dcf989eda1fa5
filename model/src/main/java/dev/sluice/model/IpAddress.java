package dev.sluice.model;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An IPv4 or IPv6 address, written in the canonical short form.
 *
 * @param six whether it is an IPv6 address
 */
public record IpAddress(BigInteger number, boolean six) {
  private static final Pattern FOUR_PART = Pattern.compile("0|[1-9]\\d{0,2}");
  private static final Pattern SIX_PART = Pattern.compile("[0-9A-Fa-f]{1,4}");
  private static final int SIX_PARTS = 8;
  private static final int SIX_PART_BITS = 16;
  private static final int FOUR_BITS = 32;
  private static final BigInteger MAPPED = BigInteger.valueOf(0xffff);

  /** The address in a string, if it is valid. */
  public static Optional<IpAddress> parse(String text) {
    return text.contains(":") ? parseSix(text) : parseFour(text);
  }

  private static Optional<IpAddress> parseFour(String text) {
    List<String> parts = List.of(text.split("\\.", -1));
    boolean good =
        parts.size() == 4
            && parts.stream()
                .allMatch(
                    part -> FOUR_PART.matcher(part).matches() && Integer.parseInt(part) <= 255);
    return good ? Optional.of(new IpAddress(number(parts, 10, 8), false)) : Optional.empty();
  }

  /** The last two parts may be written as an IPv4 address. */
  private static Optional<IpAddress> parseSix(String text) {
    int last = text.lastIndexOf(':') + 1;
    if (text.indexOf('.', last) < 0) {
      return parseParts(text);
    }
    return parseFour(text.substring(last))
        .map(four -> four.number().intValue())
        .flatMap(four ->
            parseParts(
                text.substring(0, last)
                    + "%x:%x".formatted(four >>> SIX_PART_BITS, four & 0xffff)));
  }

  /** One {@code ::} may stand for as many zeros as are missing. */
  private static Optional<IpAddress> parseParts(String text) {
    int gap = text.indexOf("::");
    List<String> parts = new ArrayList<>(sixParts(gap < 0 ? text : text.substring(0, gap)));
    if (gap >= 0) {
      List<String> rest = sixParts(text.substring(gap + 2));
      if (parts.size() + rest.size() >= SIX_PARTS) {
        return Optional.empty();
      }
      while (parts.size() + rest.size() < SIX_PARTS) {
        parts.add("0");
      }
      parts.addAll(rest);
    }
    boolean good =
        parts.size() == SIX_PARTS
            && parts.stream().allMatch(part -> SIX_PART.matcher(part).matches());
    return good
        ? Optional.of(new IpAddress(number(parts, 16, SIX_PART_BITS), true))
        : Optional.empty();
  }

  private static List<String> sixParts(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(":", -1));
  }

  private static BigInteger number(List<String> parts, int radix, int bits) {
    BigInteger number = BigInteger.ZERO;
    for (String part : parts) {
      number = number.shiftLeft(bits).or(BigInteger.valueOf(Integer.parseInt(part, radix)));
    }
    return number;
  }

  public int bits() {
    return six ? SIX_PARTS * SIX_PART_BITS : FOUR_BITS;
  }

  /** Whether it is an IPv4-mapped IPv6 address. */
  public boolean isMapped() {
    return six && number.shiftRight(FOUR_BITS).equals(MAPPED);
  }

  /** The first address of the range that shares a prefix with this one. */
  public IpAddress first(int prefix) {
    int rest = bits() - prefix;
    return new IpAddress(number.shiftRight(rest).shiftLeft(rest), six);
  }

  /** The address a number of places behind this one; the last address is followed by the first. */
  public IpAddress plus(int places) {
    BigInteger all = BigInteger.ONE.shiftLeft(bits());
    return new IpAddress(number.add(BigInteger.valueOf(places)).mod(all), six);
  }

  @Override
  public String toString() {
    return six ? sixText() : text(4, 8, 10).collect(Collectors.joining("."));
  }

  private Stream<String> text(int parts, int bits, int radix) {
    BigInteger mask = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
    return IntStream.range(0, parts)
        .mapToObj(i -> number.shiftRight((parts - 1 - i) * bits).and(mask).toString(radix));
  }

  /** The first of the longest runs of zeros is left out, if it has at least two. */
  private String sixText() {
    List<String> parts = text(SIX_PARTS, SIX_PART_BITS, 16).toList();
    int from = 0;
    int length = 0;
    for (int start = 0; start < SIX_PARTS; start++) {
      int end = start;
      while (end < SIX_PARTS && parts.get(end).equals("0")) {
        end++;
      }
      if (end - start > length) {
        from = start;
        length = end - start;
      }
    }
    return length < 2
        ? String.join(":", parts)
        : String.join(":", parts.subList(0, from))
            + "::"
            + String.join(":", parts.subList(from + length, SIX_PARTS));
  }
}
