package dev.sluice.apiserver.http.limit;

import static dev.sluice.apiserver.http.TestServer.CONFIG_MAPS;
import static dev.sluice.apiserver.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.apiserver.http.ApiServer;
import dev.sluice.apiserver.http.PortInUseException;
import dev.sluice.apiserver.http.TestServer;
import dev.sluice.apiserver.http.WatchReader;
import dev.sluice.apiserver.http.watch.EventBuffer;
import dev.sluice.apiserver.http.watch.EventBuffer.Signal;
import dev.sluice.apiserver.http.watch.WatchEvent;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LimitsTest {
  private static final Limits TIGHT = new Limits(1, 1, 1, 5, 1024 * 1024, Duration.ofSeconds(90));

  @Test
  void requestsAboveTheLimitAreSentAway() {
    try (var server = TestServer.start(TIGHT)) {
      var done = new CountDownLatch(1);
      long future = server.store.snapshot().revision() + 1;
      String held = CONFIG_MAPS + "?resourceVersion=" + future;
      Thread.startVirtualThread(() -> {
        while (server.get(held).statusCode() == 429) {
          Thread.onSpinWait();
        }
        done.countDown();
      });
      var refused = server.get(CONFIG_MAPS);
      while (refused.statusCode() != 429) {
        refused = server.get(CONFIG_MAPS);
      }

      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(tree(refused).text("reason")).isEqualTo("TooManyRequests");
      server.createConfigMap("a");
      await(done);
      assertThat(server.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void watchesAboveTheLimitAreSentAwayUntilOneEnds() {
    try (var server = TestServer.start(TIGHT)) {
      try (var watch = WatchReader.of(server, CONFIG_MAPS + "?watch=1")) {
        assertThat(watch.code()).isEqualTo(200);
        assertThat(server.get(CONFIG_MAPS + "?watch=1").statusCode()).isEqualTo(429);
      }
      int code = 429;
      while (code == 429) {
        try (var again = WatchReader.of(server, CONFIG_MAPS + "?watch=1")) {
          code = again.code();
        }
      }
      assertThat(code).isEqualTo(200);
    }
  }

  @Test
  void aWatcherThatFallsBehindIsDroppedAndNobodyWaitsForIt() throws InterruptedException {
    var buffer = new EventBuffer(2, () -> 0);
    buffer.add(event("history 1"));
    buffer.add(event("history 2"));
    buffer.live();
    List.of("live 1", "live 2").forEach(name -> buffer.add(event(name)));

    assertThat(buffer.take()).isEqualTo(new Signal.Event(event("history 1")));
    buffer.add(event("live 3"));
    assertThat(buffer.isOverrun()).isFalse();
    buffer.add(event("live 4"));

    assertThat(buffer.isOverrun()).isTrue();
    assertThat(buffer.take()).isEqualTo(new Signal.Overrun());
    assertThat(buffer.poll()).isEmpty();
  }

  @Test
  void aClientThatDoesNotReadHoldsNobodyUp() {
    var limits = new Limits(10, 10, 10, 5, 1024 * 1024, Duration.ofSeconds(90));
    int writes = 300;
    try (var server = TestServer.start(limits);
        var watch = WatchReader.of(server, CONFIG_MAPS + "?watch=1&resourceVersion=1")) {
      Tree large = TestServer.configMap("large").with(List.of("data", "x"), "x".repeat(500_000));
      var kind = Kinds.CONFIG_MAP.key("default", "large");
      String revision = "0";
      for (int i = 0; i < writes; i++) {
        Tree next = large.with(List.of("data", "number"), Integer.toString(i));
        revision =
            server.store.put(kind, Long.parseLong(revision), new ApiObject(next)).resourceVersion();
      }

      int told = 0;
      String last = "";
      for (String line = watch.told(); !line.equals("end"); line = watch.told()) {
        told++;
        last = line;
      }
      assertThat(last).startsWith("ERROR");
      assertThat(told).isLessThan(writes);
    }
  }

  @Test
  void watchExpiresWhenHistoryForgetsWhatItHasNotTaken() throws InterruptedException {
    var oldest = new AtomicLong(1);
    var buffer = new EventBuffer(10, oldest::get);
    buffer.live();
    buffer.add(revision(5));
    oldest.set(5);
    buffer.add(revision(6));
    assertThat(buffer.isOverrun()).isFalse();
    oldest.set(6);
    buffer.add(revision(7));

    assertThat(buffer.take()).isEqualTo(new Signal.Overrun());
    assertThat(buffer.poll()).isEmpty();
  }

  private static WatchEvent revision(long revision) {
    return new WatchEvent(
        "ADDED",
        ApiObject.of(Kinds.CONFIG_MAP, "default", "a")
            .withMetadata("resourceVersion", Long.toString(revision)));
  }

  @Test
  void streamThatHasWaitedLongestIsCutOff() {
    var cut = new ArrayList<String>();
    var unsent = new UnsentBytes(100);
    UnsentBytes.Part read = unsent.enter(50, () -> cut.add("read"));
    unsent.enter(40, () -> cut.add("slow"));
    unsent.enter(10, () -> cut.add("slower"));
    read.close();
    unsent.enter(50, () -> cut.add("new"));
    assertThat(cut).isEmpty();

    unsent.enter(30, () -> cut.add("newest"));
    assertThat(cut).containsExactly("slow");
    unsent.enter(1000, () -> cut.add("large"));
    assertThat(cut).containsExactly("slow", "slower", "new", "newest");
  }

  @Test
  void eventsComeBeforeTicksAndTheEnd() throws InterruptedException {
    var buffer = new EventBuffer(10, () -> 0);
    buffer.tick();
    buffer.add(event("a"));
    assertThat(buffer.take()).isEqualTo(new Signal.Event(event("a")));
    assertThat(buffer.take()).isEqualTo(new Signal.Tick());
    buffer.add(event("b"));
    buffer.end();
    assertThat(buffer.take()).isEqualTo(new Signal.Event(event("b")));
    assertThat(buffer.take()).isEqualTo(new Signal.End());
  }

  private static WatchEvent event(String name) {
    return new WatchEvent(
        "ADDED",
        ApiObject.of(Kinds.CONFIG_MAP, "default", name).withMetadata("resourceVersion", "1"));
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void anIdleWatchOutlivesTheIdleTimeout(HttpClient.Version version) {
    var impatient = new Limits(10, 10, 10, 100, 1024, Duration.ofMillis(200));
    try (var server = TestServer.start(impatient)) {
      var client = server.client(Optional.of(server.certificates.admin()), version);
      var request = server.request(CONFIG_MAPS + "?watch=1&resourceVersion=1");
      try (var watch = new WatchReader(client, request)) {
        var passed = new CountDownLatch(1);
        try (var _ = server.wallClock.after(Duration.ofMillis(700), passed::countDown)) {
          await(passed);
        }
        server.createConfigMap("after");

        assertThat(watch.told()).isEqualTo("ADDED after");
      }
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    try (var server = TestServer.start()) {
      int port = server.server.port();
      var second =
          new ApiServer(
              server.registry,
              server.store,
              server.wallClock,
              server.certificates,
              port,
              ApiServer.Extras.NONE);

      assertThatThrownBy(second::start)
          .isInstanceOf(PortInUseException.class)
          .hasMessageContaining(Integer.toString(port))
          .hasMessageContaining("--port");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }
}
