package dev.sluice.apiserver.registry.kind;

import dev.sluice.model.ResourceKind;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order of custom kinds in discovery: by group, then version, then plural. The most stable
 * version comes first, then the newest: v2, v1, v1beta2, v1beta1, v1alpha1, and then other names.
 */
final class KindOrder implements Comparator<ResourceKind> {
  private static final Pattern VERSION = Pattern.compile("v(\\d{1,9})(?:(alpha|beta)(\\d{1,9}))?");
  private static final Comparator<ResourceKind> ORDER =
      Comparator.comparing(ResourceKind::group)
          .thenComparing(ResourceKind::version, KindOrder::compareVersions)
          .thenComparing(ResourceKind::plural);

  @Override
  public int compare(ResourceKind one, ResourceKind other) {
    return ORDER.compare(one, other);
  }

  private static int compareVersions(String one, String other) {
    Matcher first = VERSION.matcher(one);
    Matcher second = VERSION.matcher(other);
    boolean known = first.matches();
    boolean otherKnown = second.matches();
    if (!known || !otherKnown) {
      return known == otherKnown ? one.compareTo(other) : known ? -1 : 1;
    }
    int stability = Integer.compare(stability(second), stability(first));
    if (stability != 0) {
      return stability;
    }
    int major = Integer.compare(number(second, 1), number(first, 1));
    return major != 0 ? major : Integer.compare(number(second, 3), number(first, 3));
  }

  private static int stability(Matcher version) {
    String word = version.group(2);
    return word == null ? 2 : word.equals("beta") ? 1 : 0;
  }

  private static int number(Matcher version, int group) {
    String digits = version.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }
}
