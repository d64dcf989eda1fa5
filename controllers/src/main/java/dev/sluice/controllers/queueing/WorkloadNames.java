package dev.sluice.controllers.queueing;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The names that Kueue gives to workloads, so that a job's workload can be found without a search.
 */
public final class WorkloadNames {
  private static final int MAX_LENGTH = 253;
  private static final int MAX_SHORT_LENGTH = 63;
  private static final int HASH_LENGTH = 5;

  private WorkloadNames() {}

  public static String of(ResourceKind kind, ApiObject owner) {
    return name(kind, owner, "", MAX_LENGTH);
  }

  /**
   * The name where an installation asks for names that fit a label.
   *
   * @param extra what tells the workloads of one owner apart; empty if it has only one
   */
  public static String of(ResourceKind kind, ApiObject owner, String extra, boolean fitsLabel) {
    return name(kind, owner, extra, fitsLabel ? MAX_SHORT_LENGTH : MAX_LENGTH);
  }

  /** The name of the variant of a workload for one flavor: that of the workload, and the flavor. */
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
    int most = length - 1 - HASH_LENGTH;
    // No name has a hyphen after a dot, so one that is cut there ends before it.
    String cut =
        prefix.length() > most ? prefix.substring(0, most).replaceAll("\\.+$", "") : prefix;
    return cut + "-" + sha1(identity).substring(0, HASH_LENGTH);
  }

  private static String sha1(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-1", impossible);
    }
  }
}
