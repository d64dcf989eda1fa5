package dev.sluice.store;

import io.vavr.collection.TreeMap;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * A sorted map whose every version stays readable: a change makes a new map that shares all but a
 * few nodes with the old one. Threads: immutable.
 */
final class PersistentMap<K extends Comparable<K>, V> {
  private final TreeMap<K, V> entries;

  private PersistentMap(TreeMap<K, V> entries) {
    this.entries = entries;
  }

  static <K extends Comparable<K>, V> PersistentMap<K, V> empty() {
    return new PersistentMap<>(TreeMap.<K, V>empty());
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  Optional<V> get(K key) {
    return entries.get(key).toJavaOptional();
  }

  PersistentMap<K, V> with(K key, V value) {
    return new PersistentMap<>(entries.put(key, value));
  }

  PersistentMap<K, V> without(K key) {
    return new PersistentMap<>(entries.remove(key));
  }

  /** Visits the entries in the order of their keys. */
  void forEach(BiConsumer<K, V> action) {
    entries.iterator().forEachRemaining(entry -> action.accept(entry._1, entry._2));
  }
}
