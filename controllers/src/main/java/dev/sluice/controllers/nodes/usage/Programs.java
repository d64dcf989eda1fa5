package dev.sluice.controllers.nodes.usage;

import dev.sluice.controllers.nodes.cel.CelLanguage;
import dev.sluice.controllers.nodes.cel.CelProgram;
import dev.sluice.model.LruMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The cache of compiled expressions. It drops the least recently used.
 *
 * <p>Threads: safe.
 */
final class Programs {
  private static final int MAX_PROGRAMS = 1000;

  private final Supplier<CelLanguage> language;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, CelProgram> known = new LruMap<>(MAX_PROGRAMS);

  /**
   * @param language created only if there is something to compile
   */
  Programs(Supplier<CelLanguage> language) {
    this.language = language;
  }

  /**
   * @throws IllegalArgumentException if it is not an expression, saying why
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
