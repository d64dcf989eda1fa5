package dev.sluice.engine.scheduling.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.SchedulingScene;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.framework.Permit;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.queue.WaitingPods.Go;
import dev.sluice.engine.scheduling.queue.WaitingPods.Hold;
import dev.sluice.engine.scheduling.queue.WaitingPods.Refused;
import dev.sluice.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WaitingPodsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private final SchedulingScene scene = new SchedulingScene();
  private final Trio trio = new Trio();
  private final WaitingPods held = new WaitingPods(List.of(trio));

  /** Lets pods go three at a time; if one gives up, so must the others. */
  private static final class Trio implements Permit {
    private final TreeSet<ObjectKey> here = new TreeSet<>();
    private boolean broken;

    @Override
    public Plugin plugin() {
      return new Plugin("Trio");
    }

    @Override
    public Outcome ask(PodFacts pod, String node, Instant now) {
      if (broken) {
        return new No("the trio broke up");
      }
      here.add(pod.key());
      return here.size() >= 3 ? Outcome.YES : new Wait(Duration.ofMinutes(1));
    }

    @Override
    public void lost(PodFacts pod, String node) {
      broken = true;
    }
  }

  private QueuedPod queued(String name) {
    return QueuedPod.of(scene.pod(name, ""), NOW, 1);
  }

  @Test
  void theLastOfAGangLetsTheOthersGo() {
    QueuedPod a = queued("a");
    QueuedPod b = queued("b");

    assertThat(held.ask(a, "n", NOW)).isInstanceOf(Hold.class);
    assertThat(held.ask(b, "n", NOW)).isInstanceOf(Hold.class);
    assertThat(held.review(NOW.plusSeconds(59))).isEmpty();
    assertThat(held.ask(queued("c"), "n", NOW)).isEqualTo(new Go());
    assertThat(held.review(NOW))
        .extracting(review -> review.held().key().name() + " " + review.outcome())
        .containsExactly("a Go[]", "b Go[]");
    assertThat(held.nextDeadline()).isEmpty();
  }

  @Test
  void aGangThatIsNotCompleteInTimeGivesUpAllItsRoom() {
    held.ask(queued("a"), "n", NOW);
    held.ask(queued("b"), "n", NOW.plusSeconds(30));

    assertThat(held.nextDeadline()).contains(NOW.plusSeconds(60));
    List<WaitingPods.Review> reviews = held.review(NOW.plusSeconds(60));
    assertThat(reviews)
        .extracting(review -> ((Refused) review.outcome()).why().message())
        .containsExactly(
            "0/1 nodes are available: 1 rejected due to timeout after waiting 1m0s at plugin Trio.",
            "0/1 nodes are available: 1 the trio broke up.");
    assertThat(held.nextDeadline()).isEmpty();
  }

  @Test
  void podWaitsNoLongerThanAQuarterOfAnHour() {
    Permit endless =
        new Permit() {
          @Override
          public Plugin plugin() {
            return new Plugin("Endless");
          }

          @Override
          public Outcome ask(PodFacts pod, String node, Instant now) {
            return new Wait(Duration.ofDays(1));
          }
        };
    var patient = new WaitingPods(List.of(endless));
    patient.ask(queued("a"), "n", NOW);

    assertThat(patient.nextDeadline()).contains(NOW.plus(Duration.ofMinutes(15)));
  }

  @Test
  void aMemberThatIsDroppedBreaksUpTheGang() {
    QueuedPod a = queued("a");
    held.ask(a, "n", NOW);
    held.ask(queued("b"), "n", NOW);

    assertThat(held.drop(a.key())).isPresent();
    assertThat(held.drop(a.key())).isEmpty();
    assertThat(held.review(NOW)).hasSize(1);
  }
}
