package dev.sluice.conformance;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;

/** The record of skipped tests, which prints one line per reason. Threads: safe. */
public final class Skips {
  /** Set to {@code true} where no test may be skipped. */
  static final String REQUIRED = "SLUICE_REQUIRE_KUBERNETES";

  /** The skips of this run, printed to its output. */
  public static final Skips HERE = new Skips(System.getenv(), System.out::println);

  private final Map<String, String> environment;
  private final Consumer<String> out;
  private final Set<String> printed = ConcurrentHashMap.newKeySet();

  /**
   * @param environment where {@link #REQUIRED} may be set
   * @param out takes the lines
   */
  Skips(Map<String, String> environment, Consumer<String> out) {
    this.environment = environment;
    this.out = out;
  }

  /**
   * Skips a test.
   *
   * @throws IllegalStateException if no test may be skipped
   */
  public ConditionEvaluationResult skip(String what, String advice) {
    if (environment.getOrDefault(REQUIRED, "").equals("true")) {
      throw new IllegalStateException(REQUIRED + "=true, but " + advice);
    }
    if (printed.add(what)) {
      out.accept("SKIPPED " + what + ": " + advice);
    }
    return ConditionEvaluationResult.disabled(advice);
  }
}
