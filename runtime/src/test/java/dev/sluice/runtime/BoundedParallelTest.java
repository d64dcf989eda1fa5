package dev.sluice.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class BoundedParallelTest {

  @Test
  void tasksThatWaitForEachOtherFinish() {
    var meeting = new CyclicBarrier(8);
    Runnable task =
        () -> {
          try {
            meeting.await(5, TimeUnit.SECONDS);
          } catch (Exception alone) {
            throw new IllegalStateException("the others did not come", alone);
          }
        };

    new BoundedParallel(8).run(Collections.nCopies(8, task));

    assertThat(meeting.isBroken()).isFalse();
  }

  @Test
  void noMoreThanTheBoundAreUnderWay() {
    var underWay = new AtomicInteger();
    var most = new AtomicInteger();
    Runnable task =
        () -> {
          most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
          LockSupport.parkNanos(1_000);
          underWay.decrementAndGet();
        };

    new BoundedParallel(3).run(Collections.nCopies(100, task));

    assertThat(most.get()).isBetween(1, 3);
  }

  @Test
  void aTaskThatFailsIsToldAfterTheOthersAreDone() {
    var done = new AtomicInteger();
    List<Runnable> tasks =
        List.of(
            done::incrementAndGet,
            () -> {
              throw new IllegalStateException("on purpose");
            },
            done::incrementAndGet);

    assertThatThrownBy(() -> new BoundedParallel(2).run(tasks)).hasMessage("on purpose");
    assertThat(done.get()).isEqualTo(2);
  }

  @Test
  void anInterruptReachesTheTasksAndIsKept() throws InterruptedException {
    var started = new CountDownLatch(2);
    var interrupted = new CountDownLatch(2);
    Runnable task =
        () -> {
          started.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException stop) {
            interrupted.countDown();
          }
        };
    var kept = new AtomicInteger();
    Thread caller =
        Thread.ofVirtual()
            .start(() -> {
              new BoundedParallel(2).run(List.of(task, task));
              kept.set(Thread.currentThread().isInterrupted() ? 1 : 0);
            });
    started.await();

    caller.interrupt();
    caller.join();

    assertThat(interrupted.getCount()).isZero();
    assertThat(kept.get()).isEqualTo(1);
  }
}
