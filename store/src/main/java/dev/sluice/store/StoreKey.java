package dev.sluice.store;

import dev.sluice.model.ObjectKey;

/** Where an object is kept, whatever version of its kind it is asked for in. */
record StoreKey(KindName kind, String namespace, String name) {
  static StoreKey of(ObjectKey key) {
    return new StoreKey(KindName.of(key.kind()), key.namespace(), key.name());
  }
}
