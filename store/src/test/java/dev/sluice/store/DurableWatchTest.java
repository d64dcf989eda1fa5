package dev.sluice.store;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DurableWatchTest extends WatchContract {
  @TempDir Path directory;

  @Override
  Store open() {
    return Stores.open(directory);
  }
}
