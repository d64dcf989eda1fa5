package dev.sluice.store;

import dev.sluice.model.ObjectKey;

/** Where an object is kept, whatever version of its kind it is asked for in. */
record Place(KindName kind, String namespace, String name) {
  static Place of(ObjectKey key) {
    return new Place(KindName.of(key.kind()), key.namespace(), key.name());
  }
}
