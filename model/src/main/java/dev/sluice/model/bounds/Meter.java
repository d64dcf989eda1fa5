package dev.sluice.model.bounds;

/**
 * The steps that an evaluation takes, which stops when it exceeds its limit.
 *
 * <p>Steps are counted and not timed, so that an evaluation ends at the same place in every world;
 * a step takes about a microsecond. Work is charged before it is done. Once the limit is exceeded,
 * every further charge fails, also where the caller has caught the first failure.
 *
 * <p>Threads: one, for one evaluation.
 */
public final class Meter {
  private static final long STEPS_BETWEEN_LOOKS = 1000;

  private final long limit;
  private final Runnable watch;
  private long spent;
  private long nextLook = STEPS_BETWEEN_LOOKS;

  public Meter(long limit) {
    this(limit, () -> {});
  }

  /**
   * @param watch runs now and then, and may stop the evaluation by an exception
   */
  public Meter(long limit, Runnable watch) {
    this.limit = limit;
    this.watch = watch;
  }

  /**
   * Charges steps that are about to be taken.
   *
   * @throws ExceededException if they are too many
   */
  public void charge(long steps) {
    spent = steps > limit - spent ? Math.max(spent, limit) + 1 : spent + steps;
    if (isExceeded()) {
      throw new ExceededException(limit);
    }
    if (spent >= nextLook) {
      nextLook = spent + STEPS_BETWEEN_LOOKS;
      watch.run();
    }
  }

  public long spent() {
    return spent;
  }

  /** The steps that are left; negative once the limit is exceeded. */
  public long left() {
    return limit - spent;
  }

  /** Whether the evaluation exceeded its limit; its result is meaningless then. */
  public boolean isExceeded() {
    return spent > limit;
  }
}
