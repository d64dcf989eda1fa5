package dev.sluice.engine.scheduling.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.SchedulingScene;
import dev.sluice.engine.scheduling.framework.Plugin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SchedulingQueueTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final SchedulingScene scene = new SchedulingScene().node("n", "cpu: 1, memory: 1Gi");
  private final SchedulingQueue queue = new SchedulingQueue(scene.state);
  private Instant now = START;

  private void add(String name, String requests, int priority) {
    queue.add(scene.pod(name, requests, "priority: " + priority), now);
  }

  private QueuedPod pop() {
    return queue.pop(now).orElseThrow();
  }

  private void reject(Plugin plugin) {
    queue.rejected(pop(), new TreeSet<>(List.of(plugin)), now);
  }

  private List<String> popAll() {
    var names = new ArrayList<String>();
    for (Optional<QueuedPod> next = queue.pop(now); next.isPresent(); next = queue.pop(now)) {
      names.add(next.get().key().name());
    }
    return names;
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  @Test
  void theMoreImportantGoFirstAndThenThoseThatCameFirst() {
    add("a", "", 0);
    add("b", "", 5);
    add("c", "", 5);

    assertThat(popAll()).containsExactly("b", "c", "a");
  }

  @Test
  void pausesDoubleUpToTenSeconds() {
    add("p", "cpu: 1", 0);
    QueuedPod pod = pop();
    var pauses = new ArrayList<Long>();
    for (int i = 0; i < 6; i++) {
      pod = pod.rejected(now, 1, 1, PodBackoff.DEFAULT);
      pauses.add(Duration.between(now, pod.pauseEnds()).toSeconds());
    }

    assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
    assertThat(pod.pauses(now.plusSeconds(10))).isTrue();
    assertThat(pod.pauses(now.plusSeconds(11))).isFalse();
  }

  @Test
  void aPauseEndsWithTheSecondInWhichItWouldEnd() {
    add("p", "cpu: 1", 0);
    Instant late = START.plusMillis(900);
    QueuedPod pod = pop().rejected(late, 1, 1, PodBackoff.DEFAULT);

    assertThat(pod.pauseEnds()).isEqualTo(START.plusSeconds(1));
    assertThat(pod.pauses(START.plusMillis(1999))).isTrue();
    assertThat(pod.pauses(START.plusMillis(2000))).isFalse();
  }

  @Test
  void podInBackoffIsTriedEarlyOnlyIfNoOtherIsActive() {
    add("refused", "cpu: 1", 9);
    reject(Plugin.NODE_RESOURCES_FIT);
    queue.roomFreed("n", now);
    assertThat(queue.size(SubQueue.BACKOFF)).isEqualTo(1);
    add("new", "", 0);
    add("broken", "", 0);

    QueuedPod first = pop();
    queue.failed(pop(), now);
    assertThat(first.key().name()).isEqualTo("new");
    assertThat(popAll()).as("an error waits for its end").containsExactly("refused");
  }

  @Test
  void ofThoseWhosePausesEndInTheSameSecondTheMoreImportantGoFirst() {
    add("early", "cpu: 1", 0);
    reject(Plugin.NODE_RESOURCES_FIT);
    pass(Duration.ofMillis(500));
    add("important", "cpu: 1", 5);
    reject(Plugin.NODE_RESOURCES_FIT);
    queue.roomFreed("n", now);

    assertThat(queue.size(SubQueue.BACKOFF)).isEqualTo(2);
    assertThat(popAll()).containsExactly("important", "early");
  }

  @Test
  void aFailureSleepsUntilSomethingMayHelp() {
    add("fits", "cpu: 1", 0);
    add("big", "cpu: 2", 0);
    reject(Plugin.NODE_RESOURCES_FIT);
    reject(Plugin.NODE_RESOURCES_FIT);
    assertThat(popAll()).isEmpty();

    queue.roomFreed("n", now);
    assertThat(popAll()).containsExactly("fits");
    queue.nodeChanged("n", now);
    assertThat(popAll()).isEmpty();
  }

  @Test
  void theNextOfItsKinFollowsOnlyWhenTheFirstFoundAPlace() {
    add("a1", "cpu: 1", 0);
    add("a2", "cpu: 1", 0);
    add("a3", "cpu: 1", 0);
    for (int i = 0; i < 3; i++) {
      reject(Plugin.NODE_RESOURCES_FIT);
    }

    queue.roomFreed("n", now);
    QueuedPod first = pop();
    assertThat(popAll()).isEmpty();
    queue.placed(first, now);
    assertThat(first.key().name()).isEqualTo("a1");
    assertThat(pop().key().name()).isEqualTo("a2");
    assertThat(queue.size(SubQueue.UNSCHEDULABLE)).isEqualTo(1);
  }

  @Test
  void theNextOfItsKinFollowsAlsoWhenTheFirstIsGone() {
    add("a1", "cpu: 1", 0);
    add("a2", "cpu: 1", 0);
    reject(Plugin.NODE_RESOURCES_FIT);
    reject(Plugin.NODE_RESOURCES_FIT);

    queue.roomFreed("n", now);
    queue.remove(scene.pod("a1", "").key(), now);

    assertThat(popAll()).containsExactly("a2");
  }

  @Test
  void errorsWaitForTheEndOfTheirPause() {
    add("p", "cpu: 1", 0);
    queue.failed(pop(), now);

    assertThat(queue.isReady(now)).isFalse();
    assertThat(queue.nextWakeUp()).contains(START.plusSeconds(2));
    pass(Duration.ofSeconds(2));
    assertThat(popAll()).containsExactly("p");
  }

  @Test
  void afterFiveMinutesAPodTriesAgainIfAnythingHappened() {
    add("p", "cpu: 5", 0);
    reject(Plugin.NODE_RESOURCES_FIT);
    assertThat(queue.nextWakeUp()).isEmpty();

    scene.on("n", scene.pod("other", ""));
    assertThat(queue.nextWakeUp()).contains(START.plusSeconds(330));
    pass(Duration.ofSeconds(329));
    queue.flush(now);
    assertThat(popAll()).isEmpty();
    pass(Duration.ofSeconds(1));
    queue.flush(now);
    assertThat(popAll()).containsExactly("p");
  }

  @Test
  void podsWithAffinityAreRequeuedByThePodsTheySelect() {
    String near =
        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
            + " kubernetes.io/hostname, labelSelector: {matchLabels: {app: friend}}}]}}";
    queue.add(scene.pod("p", "", near), now);
    reject(Plugin.INTER_POD_AFFINITY);

    queue.podCame(scene.pod("stranger", ""), now);
    assertThat(popAll()).isEmpty();
    queue.podCame(scene.pod("friend", ""), now);
    assertThat(popAll()).containsExactly("p");
  }

  @Test
  void aPodThatChangesOwesItsPauseStill() {
    add("p", "cpu: 5", 0);
    reject(Plugin.NODE_RESOURCES_FIT);
    add("p", "cpu: 1", 0);
    add("new", "", 0);
    assertThat(popAll()).as("nobody else goes first").containsExactly("new", "p");

    add("broken", "cpu: 1", 0);
    queue.failed(pop(), now);
    add("broken", "cpu: 2", 0);
    assertThat(queue.isReady(now)).isFalse();
  }

  @Test
  void podNominatedToADeletedNodeIsRequeued() {
    add("p", "cpu: 1", 5);
    QueuedPod popped = pop();
    queue.rejected(
        popped.with(popped.pod().nominatedTo("n")),
        new TreeSet<>(List.of(Plugin.NODE_RESOURCES_FIT)),
        now);

    scene.state.removeNode("n");
    queue.nodeChanged("n", now);
    assertThat(popAll()).containsExactly("p");
  }

  @Test
  void aPodThatChangesTries() {
    add("p", "cpu: 5", 0);
    reject(Plugin.NODE_RESOURCES_FIT);
    add("p", "cpu: 5", 0);
    assertThat(popAll()).isEmpty();

    add("p", "cpu: 1", 0);
    assertThat(popAll()).containsExactly("p");
  }
}
