package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ports of a pod, and those of everybody else on the machine. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class PortsTest {
  @TempDir private Path folder;
  private Machine machine;

  @BeforeEach
  void open() throws IOException {
    machine = new Machine(folder.resolve("node"), "local");
  }

  @AfterEach
  void close() {
    machine.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
  void whereAProcessOfThePodListensItCanBeReached(String address) throws Exception {
    int port = listen("uid", address);

    await().atMost(Duration.ofSeconds(30)).until(() -> isReachable("uid", port));
    try (Socket socket = machine.connect("uid", port)) {
      socket.getOutputStream().write("HEAD / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains(" 200 OK");
    }
    assertThatThrownBy(() -> machine.connect("other", port))
        .hasMessage("no process of the pod listens on port " + port);
  }

  @Test
  void portsOfOthersOnTheMachineCannotBeReached() throws Exception {
    machine.start(
        new RunId("uid", "main", 0), Launch.of(List.of("sleep", "1000"), new TreeMap<>()));
    try (var ours = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> machine.connect("uid", ours.getLocalPort()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no process of the pod listens");
    }
  }

  private boolean isReachable(String pod, int port) {
    try (Socket socket = machine.connect(pod, port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Starts a server of the JDK as a pod; returns its port. */
  private int listen(String pod, String address) throws IOException {
    int port;
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        List.of(
            java,
            "-m",
            "jdk.httpserver",
            "-b",
            address,
            "-p",
            Integer.toString(port),
            "-d",
            folder.toString());
    machine.start(new RunId(pod, "main", 0), Launch.of(command, new TreeMap<>()));
    return port;
  }
}
