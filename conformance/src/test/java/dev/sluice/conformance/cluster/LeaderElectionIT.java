package dev.sluice.conformance.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.kubernetes.FencedCluster;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.LeaderElection;
import dev.sluice.kubernetes.LeaderElection.Terms;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Lease;
import dev.sluice.runtime.RealTime;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@RequiresKubernetes
@Timeout(60)
class LeaderElectionIT {
  private static final Terms QUICK =
      new Terms(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(100));

  private final RealKubernetes kubernetes;
  private final ObjectKey lease;
  private final RealTime time = new RealTime();
  private final List<AutoCloseable> opened = new ArrayList<>();

  /**
   * The order in which candidates began and stopped leading; two leaders at once would show here.
   */
  private final List<String> history = new CopyOnWriteArrayList<>();

  LeaderElectionIT(RealKubernetes kubernetes, TestInfo test) {
    this.kubernetes = kubernetes;
    String name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    this.lease = Kinds.LEASE.key("default", name);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
    time.close();
  }

  @Test
  void theNextOneLeadsAtOnceWhenTheFirstEndsInOrder() {
    LeaderElection first = candidate("first", connect(kubernetes.kubeconfig()));
    Eventually.holds("the first leads", first::leads);
    LeaderElection second = candidate("second", connect(kubernetes.kubeconfig()));
    Eventually.holds("the second knows", () -> second.holder().equals("first"));

    long begun = System.nanoTime();
    first.close();
    Eventually.holds("the second leads", () -> history.size() == 3);

    assertThat(history).containsExactly("first leads", "first ends", "second leads");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
    assertThat(kubernetes.kubectl().read("lease/" + lease.name(), "{.spec.leaseTransitions}"))
        .isEqualTo("2");
  }

  @Test
  void aLeaderThatIsCutOffStopsBeforeTheNextOneLeads(@TempDir Path folder) throws IOException {
    var line = new CuttableLine(URI.create(kubernetes.server()).getPort());
    opened.add(line);
    KubernetesCluster cutOff = connect(throughLine(folder, line));
    LeaderElection first = candidate("first", cutOff);
    Eventually.holds("the first leads", () -> history.contains("first leads"));
    LeaderElection second = candidate("second", connect(kubernetes.kubeconfig()));
    var fenced = new FencedCluster(connect(kubernetes.kubeconfig()), first::leads);

    line.cut();
    Eventually.holds("the second leads", () -> history.contains("second leads"));

    assertThat(history).containsExactly("first leads", "first ends", "second leads");
    assertThat(first.leads()).isFalse();
    assertThatThrownBy(() ->
            fenced.create(Kinds.CONFIG_MAP, ApiObject.of(Kinds.CONFIG_MAP, "default", "too-late")))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("does not lead");

    line.mend();
    Eventually.holds("the first follows", () -> first.holder().equals("second"));
    second.close();
    Eventually.holds("the first leads again", () -> history.size() == 5);
    assertThat(history.subList(3, 5)).containsExactly("second ends", "first leads");
  }

  /** No timer tells it that its claim has ended: only the clock does. */
  @Test
  void leaderThatWasSuspendedWritesNothingWhenItWakesUp() {
    var clock = new SuspendableTime(time);
    LeaderElection suspended = candidate("suspended", connect(kubernetes.kubeconfig()), clock);
    Eventually.holds("it leads", suspended::leads);

    clock.suspend(QUICK.renewDeadline());

    assertThat(suspended.leads()).isFalse();
  }

  /** The time of a process that can be suspended: its timers do not fire after that. */
  private static final class SuspendableTime implements TimeSource {
    private final TimeSource real;
    private volatile Optional<Duration> suspension = Optional.empty();

    SuspendableTime(TimeSource real) {
      this.real = real;
    }

    void suspend(Duration duration) {
      suspension = Optional.of(duration);
    }

    @Override
    public Instant now() {
      return real.now().plus(suspension.orElse(Duration.ZERO));
    }

    @Override
    public Subscription after(Duration delay, Runnable task) {
      return real.after(
          delay,
          () -> {
            if (suspension.isEmpty()) {
              task.run();
            }
          });
    }
  }

  @Test
  void aLeaderThatVanishesIsFollowedWhenItsLeaseEnds() {
    ApiObject held =
        new Lease(ApiObject.of(Kinds.LEASE, "default", lease.name()))
            .taken("vanished", Duration.ofSeconds(2), time.now().plusSeconds(3600))
            .object();
    // Its clock is an hour ahead of ours, which must not matter.
    connect(kubernetes.kubeconfig()).uncached().create(lease, held);

    LeaderElection next = candidate("next", connect(kubernetes.kubeconfig()));
    Eventually.holds("the other's claim is seen", () -> next.holder().equals("vanished"));
    assertThat(next.leads()).isFalse();

    Eventually.holds("the next leads", next::leads);
  }

  @Test
  void aLeaseThatIsDeletedIsMadeAnew() {
    LeaderElection only = candidate("only", connect(kubernetes.kubeconfig()));
    Eventually.holds("it leads", only::leads);

    kubernetes.kubectl().run("delete", "lease", lease.name()).orFail();

    Eventually.holds(
        "the lease is back",
        () -> kubernetes.kubectl().run("get", "lease", lease.name()).exitCode() == 0);
    assertThat(only.leads()).isTrue();
    assertThat(history).containsExactly("only leads");
  }

  @Test
  void candidateThatCannotLeadIsAskedAgain() {
    var attempts = new CopyOnWriteArrayList<String>();
    var election =
        new LeaderElection(
            connect(kubernetes.kubeconfig()).uncached(),
            lease,
            "clumsy",
            QUICK,
            time,
            new LeaderElection.Candidate() {
              @Override
              public void lead() {
                attempts.add("lead");
                if (attempts.size() == 1) {
                  throw new IllegalStateException("on purpose");
                }
              }

              @Override
              public void stepDown() {
                attempts.add("stepDown");
              }
            });
    opened.add(election);

    election.start();

    Eventually.holds("it leads", () -> attempts.size() == 3);
    assertThat(attempts).containsExactly("lead", "stepDown", "lead");
  }

  private LeaderElection candidate(String name, KubernetesCluster cluster) {
    return candidate(name, cluster, time);
  }

  private LeaderElection candidate(String name, KubernetesCluster cluster, TimeSource clock) {
    var election =
        new LeaderElection(
            cluster.uncached(),
            lease,
            name,
            QUICK,
            clock,
            new LeaderElection.Candidate() {
              @Override
              public void lead() {
                history.add(name + " leads");
              }

              @Override
              public void stepDown() {
                history.add(name + " ends");
              }
            });
    election.start();
    opened.add(election);
    return election;
  }

  private KubernetesCluster connect(Path kubeconfig) {
    var cluster = RealCluster.of(kubeconfig, time);
    opened.add(cluster);
    return cluster;
  }

  private Path throughLine(Path folder, CuttableLine line) throws IOException {
    String text =
        Files.readString(kubernetes.kubeconfig())
            .replace(kubernetes.server(), "https://127.0.0.1:" + line.port());
    return Files.writeString(folder.resolve("kubeconfig"), text);
  }
}
