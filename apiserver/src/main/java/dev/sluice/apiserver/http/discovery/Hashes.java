package dev.sluice.apiserver.http.discovery;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hashes by which clients notice that a document has changed. */
public final class Hashes {
  private Hashes() {}

  public static String of(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-512").digest(content);
      return HexFormat.of().withUpperCase().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-512", impossible);
    }
  }
}
