package dev.sluice.apiserver.schema;

import dev.sluice.model.Timestamps;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The string formats that are validated. Others are only documentation. */
final class Formats {
  private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
  private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final String IPV4 = OCTET + "(\\." + OCTET + "){3}";
  private static final int MAX_LENGTH = 1000;
  private static final String HEX = "[0-9a-fA-F]";
  private static final Pattern IPV4_TAIL = Pattern.compile("(?<=:)" + IPV4 + "$");
  private static final Pattern GROUPS = Pattern.compile(HEX + "{1,4}(:" + HEX + "{1,4})*");

  private static final SortedMap<String, Predicate<String>> BY_NAME =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("date-time", Formats::isDateTime),
              Map.entry("datetime", Formats::isDateTime),
              Map.entry("date", text -> parses(() -> LocalDate.parse(text))),
              Map.entry(
                  "duration", matching("[-+]?(0|([0-9]+(\\.[0-9]*)?(ns|us|µs|ms|s|m|h|d|w) ?)+)")),
              Map.entry("byte", Formats::isBase64),
              Map.entry("uri", Formats::isUri),
              Map.entry("email", matching("[^@\\s]+@[^@\\s]+")),
              Map.entry(
                  "hostname", matching("(?i)(?=.{1,255}$)" + LABEL + "(\\." + LABEL + ")*\\.?")),
              Map.entry("ipv4", matching(IPV4)),
              Map.entry("ipv6", Formats::isIpv6),
              Map.entry("cidr", Formats::isCidr),
              Map.entry("mac", matching(HEX + "{2}([:-]" + HEX + "{2}){5}")),
              Map.entry("uuid", uuid("[0-9a-fA-F]")),
              Map.entry("uuid3", uuid("3")),
              Map.entry("uuid4", uuid("4")),
              Map.entry("uuid5", uuid("5")),
              Map.entry("bsonobjectid", matching(HEX + "{24}")),
              Map.entry("hexcolor", matching("#?(" + HEX + "{3}|" + HEX + "{6})")),
              Map.entry("k8s-short-name", matching(LABEL)),
              Map.entry(
                  "k8s-long-name", matching("(?=.{1,253}$)" + LABEL + "(\\." + LABEL + ")*"))));

  private Formats() {}

  static Optional<Predicate<String>> named(String format) {
    return Optional.ofNullable(BY_NAME.get(format));
  }

  /** Java's patterns recurse with the length of the text, so that is limited. */
  private static Predicate<String> matching(String pattern) {
    Predicate<String> matches = Pattern.compile(pattern).asMatchPredicate();
    return text -> text.length() <= MAX_LENGTH && matches.test(text);
  }

  private static Predicate<String> uuid(String version) {
    return matching(
        HEX + "{8}-?" + HEX + "{4}-?" + version + HEX + "{3}-?" + HEX + "{4}-?" + HEX + "{12}");
  }

  private static boolean isDateTime(String text) {
    return Timestamps.isPlain(text) || TimeValues.read(text).isPresent();
  }

  private static boolean isBase64(String text) {
    return parses(() -> Base64.getDecoder().decode(text));
  }

  private static boolean isUri(String text) {
    try {
      return new URI(text).isAbsolute() || text.startsWith("/");
    } catch (URISyntaxException notOne) {
      return false;
    }
  }

  private static boolean isCidr(String text) {
    int slash = text.indexOf('/');
    String bits = text.substring(slash + 1);
    if (slash < 0 || slash > MAX_LENGTH || !bits.matches("[0-9]{1,3}")) {
      return false;
    }
    String address = text.substring(0, slash);
    int length = Integer.parseInt(bits);
    return (address.matches(IPV4) && length <= 32) || (isIpv6(address) && length <= 128);
  }

  private static boolean isIpv6(String text) {
    if (text.length() > MAX_LENGTH) {
      return false;
    }
    String address = IPV4_TAIL.matcher(text).replaceFirst("0:0");
    int gap = address.indexOf("::");
    if (gap < 0) {
      return isGroups(address) && count(address) == 8;
    }
    String left = address.substring(0, gap);
    String right = address.substring(gap + 2);
    return (left.isEmpty() || isGroups(left))
        && (right.isEmpty() || isGroups(right))
        && count(left) + count(right) <= 7;
  }

  private static boolean isGroups(String text) {
    return GROUPS.matcher(text).matches();
  }

  private static int count(String groups) {
    return groups.isEmpty() ? 0 : groups.split(":", -1).length;
  }

  private static boolean parses(Runnable reading) {
    try {
      reading.run();
      return true;
    } catch (DateTimeException | IllegalArgumentException malformed) {
      return false;
    }
  }
}
