package dev.sluice.controllers;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests as hexadecimal digits, for names and labels that others compute too. */
public final class HexDigest {
  private HexDigest() {}

  public static String sha1(String text) {
    return of("SHA-1", text.getBytes(StandardCharsets.UTF_8));
  }

  public static String sha256(byte[] bytes) {
    return of("SHA-256", bytes);
  }

  private static String of(String algorithm, byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has " + algorithm, impossible);
    }
  }
}
