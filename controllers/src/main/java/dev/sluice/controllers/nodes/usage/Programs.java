package dev.sluice.controllers.nodes.usage;

import dev.sluice.controllers.nodes.cel.CelLanguage;
import dev.sluice.controllers.nodes.cel.CelProgram;
import dev.sluice.model.LruMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The programs of expressions, so that each is compiled once. It forgets those that were not used
 * for longest.
 *
 * <p>Threads: safe.
 */
final class Programs {
  private static final int MOST = 1000;

  private final Supplier<CelLanguage> language;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, CelProgram> known = new LruMap<>(MOST);

  /**
   * @param language asked for only if there is something to compile
   */
  Programs(Supplier<CelLanguage> language) {
    this.language = language;
  }

  /**
   * @throws IllegalArgumentException if it is no expression, saying why
   */
  CelProgram of(String expression) {
    lock.lock();
    try {
      return known.computeIfAbsent(expression, text -> language.get().compile(text));
    } finally {
      lock.unlock();
    }
  }
}
