package dev.sluice.controllers.queueing;

import dev.sluice.controllers.HexDigest;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import java.util.Locale;

/** The names that Kueue gives to workloads; a job's workload can be found by its name alone. */
public final class WorkloadNames {
  private static final int MAX_LENGTH = 253;
  private static final int MAX_SHORT_LENGTH = 63;
  private static final int HASH_LENGTH = 5;

  private WorkloadNames() {}

  public static String of(ResourceKind kind, ApiObject owner) {
    return name(kind, owner, "", MAX_LENGTH);
  }

  /**
   * The name of a job's workload.
   *
   * @param extra distinguishes the workloads of one owner; empty if it has only one
   * @param fitsLabel whether the name must be short enough for the value of a label
   */
  public static String of(ResourceKind kind, ApiObject owner, String extra, boolean fitsLabel) {
    return name(kind, owner, extra, fitsLabel ? MAX_SHORT_LENGTH : MAX_LENGTH);
  }

  /** The name of the variant of a workload for one flavor. */
  public static String ofVariant(ApiObject parent, String flavor, boolean fitsLabel) {
    String bare = parent.name().replaceFirst("-[0-9a-f]{" + HASH_LENGTH + "}$", "");
    return name(
        bare + "-variant-" + flavor,
        identity(Kinds.WORKLOAD, parent) + "\n" + flavor,
        fitsLabel ? MAX_SHORT_LENGTH : MAX_LENGTH);
  }

  private static String name(ResourceKind kind, ApiObject owner, String extra, int length) {
    String prefix = kind.kind().toLowerCase(Locale.ROOT) + "-" + owner.name();
    String identity = identity(kind, owner);
    return name(prefix, extra.isEmpty() ? identity : identity + "\n" + extra, length);
  }

  private static String identity(ResourceKind kind, ApiObject owner) {
    return String.join("\n", kind.kind(), kind.group(), owner.name(), owner.uid());
  }

  private static String name(String prefix, String identity, int length) {
    int available = length - 1 - HASH_LENGTH;
    // A name has no hyphen after a dot, so dots at the end of a cut prefix are removed.
    String cut =
        prefix.length() > available
            ? prefix.substring(0, available).replaceAll("\\.+$", "")
            : prefix;
    return cut + "-" + HexDigest.sha1(identity).substring(0, HASH_LENGTH);
  }
}
