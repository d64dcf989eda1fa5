package dev.sluice.apiserver.http.discovery;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order in which Kubernetes prefers versions: stable, beta, alpha, each from high to low, then
 * others.
 */
final class VersionOrder {
  private static final Pattern FORM = Pattern.compile("v(\\d{1,9})(?:(alpha|beta)(\\d{1,9}))?");

  static final Comparator<String> PREFERRED_FIRST =
      Comparator.comparingInt(VersionOrder::maturity)
          .thenComparing(Comparator.comparingInt((String v) -> number(v, 1)).reversed())
          .thenComparing(Comparator.comparingInt((String v) -> number(v, 3)).reversed())
          .thenComparing(Comparator.naturalOrder());

  private VersionOrder() {}

  private static int maturity(String version) {
    Matcher form = FORM.matcher(version);
    if (!form.matches()) {
      return 3;
    }
    String stage = form.group(2);
    return stage == null ? 0 : stage.equals("beta") ? 1 : 2;
  }

  private static int number(String version, int part) {
    Matcher form = FORM.matcher(version);
    return form.matches() && form.group(part) != null ? Integer.parseInt(form.group(part)) : 0;
  }
}
