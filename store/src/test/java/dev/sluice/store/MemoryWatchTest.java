package dev.sluice.store;

class MemoryWatchTest extends WatchContract {
  @Override
  Store open() {
    return Stores.inMemory();
  }
}
