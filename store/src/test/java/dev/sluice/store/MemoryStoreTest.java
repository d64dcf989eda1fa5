package dev.sluice.store;

class MemoryStoreTest extends StoreContract {
  @Override
  Store open() {
    return Stores.inMemory(HISTORY);
  }
}
