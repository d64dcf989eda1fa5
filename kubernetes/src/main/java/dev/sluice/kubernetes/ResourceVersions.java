package dev.sluice.kubernetes;

/**
 * The order of resource versions of one kind: Kubernetes promises that they are decimal numbers
 * without leading zeros that grow with every change. What has none is older than everything.
 */
final class ResourceVersions {
  private ResourceVersions() {}

  static boolean isNewer(String version, String than) {
    return version.length() != than.length()
        ? version.length() > than.length()
        : version.compareTo(than) > 0;
  }

  static String newest(String one, String other) {
    return isNewer(other, one) ? other : one;
  }
}
