package dev.sluice.store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test with an empty store of some kind. */
abstract class WithStore {
  Store store;

  /** An empty store that keeps {@link StoreContract#HISTORY} changes at least. */
  abstract Store open();

  @BeforeEach
  void openStore() {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }
}
