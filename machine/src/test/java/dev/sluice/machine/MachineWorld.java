package dev.sluice.machine;

import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.runtime.ContainerLogs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/** A machine that runs real processes, and what tests want to know of it. */
final class MachineWorld implements AutoCloseable {
  static final RunId FIRST = new RunId("uid-1", "main", 0);

  final Machine machine;

  /** The pods of which it was told that something of them ended. */
  final List<String> told = new CopyOnWriteArrayList<>();

  MachineWorld(Path folder) throws IOException {
    machine = new Machine(folder, "local");
    machine.listen(told::add);
  }

  /** Waits for the end of a run. */
  State.Ended end(RunId id) {
    return await().atMost(Duration.ofSeconds(20)).until(() -> found(id), Optional::isPresent).get();
  }

  private Optional<State.Ended> found(RunId id) {
    return machine.runs(id.pod()).stream()
        .filter(run -> run.id().equals(id))
        .map(Run::state)
        .filter(State.Ended.class::isInstance)
        .map(State.Ended.class::cast)
        .findFirst();
  }

  static ContainerLogs.LogRequest question(RunId id) {
    return question(id, "", false, false);
  }

  static ContainerLogs.LogRequest ofStream(String stream) {
    return question(FIRST, stream, false, false);
  }

  static ContainerLogs.LogRequest previous() {
    return question(FIRST, "", true, false);
  }

  static ContainerLogs.LogRequest following() {
    return question(FIRST, "", false, true);
  }

  private static ContainerLogs.LogRequest question(
      RunId id, String stream, boolean previous, boolean follow) {
    return new ContainerLogs.LogRequest(
        id.pod(),
        id.container(),
        stream,
        previous,
        follow,
        false,
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /** The log of a container of the first pod. */
  String log(ContainerLogs.LogRequest question) throws IOException, InterruptedException {
    var collected = new ByteArrayOutputStream();
    machine.copy(
        question,
        new ContainerLogs.Sink() {
          @Override
          public void write(byte[] bytes) {
            collected.writeBytes(bytes);
          }

          @Override
          public boolean isAbandoned() {
            return false;
          }
        });
    return collected.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    machine.close();
  }
}
