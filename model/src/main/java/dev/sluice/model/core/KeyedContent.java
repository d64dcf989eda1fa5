package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The data of a ConfigMap or a Secret: bytes by key.
 *
 * <p>The arrays are shared and must not be changed.
 */
public record KeyedContent(SortedMap<String, byte[]> entries) {
  public KeyedContent {
    entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
  }

  public static KeyedContent ofConfigMap(ApiObject configMap) {
    var entries = new TreeMap<String, byte[]>();
    configMap
        .tree()
        .texts("data")
        .forEach((key, text) -> entries.put(key, text.getBytes(StandardCharsets.UTF_8)));
    configMap.tree().texts("binaryData").forEach((key, text) -> entries.put(key, decoded(text)));
    return new KeyedContent(entries);
  }

  public static KeyedContent ofSecret(ApiObject secret) {
    var entries = new TreeMap<String, byte[]>();
    secret.tree().texts("data").forEach((key, text) -> entries.put(key, decoded(text)));
    return new KeyedContent(entries);
  }

  public Optional<byte[]> entry(String key) {
    return Optional.ofNullable(entries.get(key));
  }

  private static byte[] decoded(String text) {
    return Base64.getMimeDecoder().decode(text);
  }
}
