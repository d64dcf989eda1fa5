package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers;
import dev.sluice.controllers.nodes.local.Launch;
import dev.sluice.controllers.nodes.usage.MeasuredUsage;
import dev.sluice.runtime.ContainerLogs;
import dev.sluice.runtime.ContainerSessions;
import dev.sluice.runtime.Subscription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs containers as processes of this machine and keeps their logs, all in one folder that only
 * its owner can read.
 *
 * <p>Processes end with it. Those that an earlier one left behind, because it was killed, are ended
 * when the folder is opened again: so nothing ever runs twice, and every run has an end.
 *
 * <p>Threads: safe.
 */
public final class Machine implements Containers, ContainerLogs, ContainerSessions, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Machine.class);
  private static final Duration FAREWELL = Duration.ofSeconds(5);
  private static final int CANNOT_START = 128;

  /** Not the name of a container, which has no dots at its beginning. */
  private static final String VOLUMES = ".volumes";

  private final String node;
  private final Path pods;
  private final Launcher launcher;
  private final Cgroups cgroups;
  private final Checks checks;
  private final Sessions sessions;
  private final PodRecords records = new PodRecords();
  private final ProcessMeter meter;
  private final CopyOnWriteArrayList<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

  /**
   * Opens a folder, which is made if it is not there.
   *
   * @param node the name of the node whose pods these are
   */
  public Machine(Path folder, String node) throws IOException {
    this.node = node;
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    this.pods = folder.toAbsolutePath().resolve("pods");
    this.launcher = new Launcher(folder.toAbsolutePath(), Namespaces.detect());
    this.cgroups = Cgroups.detect();
    this.checks = new Checks(this::prepareCheck);
    this.sessions = new Sessions(pods, launcher);
    this.meter = new ProcessMeter(node, records);
    for (String pod : Folders.names(pods)) {
      Leftovers.recall(pods, pod, cgroups, records.of(pod));
    }
    // Also what was started just before it could be noted.
    DescendantProcesses.kill(pods);
  }

  @Override
  public void start(RunId id, Launch launch) {
    PodRecord record = records.of(id.pod());
    if (record.knows(id)) {
      return;
    }
    RunFolder folder = RunFolder.of(pods, id);
    folder.create();
    record.dropOlderThan(id).forEach(old -> Folders.remove(RunFolder.of(pods, old).path()));
    try {
      begin(id, launch, record, folder);
    } catch (CannotStartException | IOException | InvalidPathException failed) {
      cgroups.clear(id);
      var end =
          new State.Ended(
              CANNOT_START,
              State.START_ERROR,
              String.valueOf(failed.getMessage()),
              Instant.EPOCH,
              Instant.now());
      folder.writeEnd(end);
      record.ended(id, end);
    }
  }

  private void begin(RunId id, Launch launch, PodRecord record, RunFolder folder)
      throws IOException, CannotStartException {
    Optional<Path> cgroup = cgroups.make(id, launch.limits());
    InteractiveProcess process =
        InteractiveProcess.start(
            launch.streams(),
            terminal -> launcher.prepare(launch, folder, volumes(id.pod()), cgroup, terminal));
    folder.writeIdentity(RunFolder.Identity.of(process.process()));
    Instant now = Instant.now();
    var log = new LogFile(folder.path(), LogFile.LIMIT);
    var run = new ProcessRun(process, launch, folder, log, cgroup, now);
    record.started(id, new State.Running(now), run);
    Thread.ofVirtual().name("end-of-" + id.container()).start(() -> awaitEnd(id, record, run));
  }

  private ProcessBuilder prepareCheck(RunId id, Launch launch, Optional<Path> cgroup)
      throws IOException, CannotStartException {
    RunFolder folder = RunFolder.of(pods, id);
    folder.create();
    return launcher.prepare(launch, folder, volumes(id.pod()), cgroup, "");
  }

  private VolumeFolders volumes(String pod) {
    return new VolumeFolders(pods.resolve(pod).resolve(VOLUMES));
  }

  @Override
  public void refresh(String pod, SortedMap<String, Launch.Content.Files> contents) {
    volumes(pod).refresh(contents);
  }

  @Override
  public Optional<String> read(String pod, String volume, String path) {
    return volumes(pod).read(volume, path);
  }

  private void awaitEnd(RunId id, PodRecord record, ProcessRun run) {
    try {
      State.Ended end = run.await();
      sessions.end(run);
      note(id, end);
      record.ended(id, end);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return;
    }
    removeIfForgotten(id.pod());
    listeners.forEach(listener -> listener.accept(id.pod()));
  }

  /** A pod that removed its own folder has ended all the same. */
  private void note(RunId id, State.Ended end) {
    RunFolder folder = RunFolder.of(pods, id);
    try {
      folder.create();
      folder.writeEnd(end);
    } catch (UncheckedIOException failed) {
      LOG.warn(
          "the exit status of {} could not be saved and is lost when sluice stops: {}",
          id,
          failed.toString());
    }
  }

  @Override
  public List<Run> runs(String pod) {
    return records.runs(pod);
  }

  @Override
  public boolean terminate(RunId id) {
    return records.process(id).filter(ProcessRun::terminate).isPresent();
  }

  @Override
  public void kill(RunId id) {
    records.process(id).ifPresent(ProcessRun::kill);
  }

  @Override
  public void check(RunId id, String name, Check check, Duration timeout, Consumer<String> answer) {
    var own = new RunId(id.pod(), id.container() + "." + name, id.attempt());
    Optional<Path> cgroup = records.process(id).flatMap(ProcessRun::cgroup);
    Thread.ofVirtual()
        .name(name + "-of-" + id.container())
        .start(() -> answer.accept(checks.ask(check, own, cgroup, timeout)));
  }

  @Override
  public void call(RunId id, Check.Http page, Duration timeout) {
    PodRecord record = records.of(id.pod());
    Instant started = Instant.now();
    if (record.began(id, new State.Running(started))) {
      Thread.ofVirtual()
          .name("call-of-" + id.container())
          .start(() -> {
            record.ended(id, Checks.call(page, timeout, started));
            listeners.forEach(listener -> listener.accept(id.pod()));
          });
    }
  }

  @Override
  public void forget(String pod) {
    records.find(pod).ifPresent(PodRecord::forget);
    records.processes(pod).forEach(ProcessRun::kill);
    removeIfForgotten(pod);
  }

  private void removeIfForgotten(String pod) {
    if (records.removeIfForgotten(pod)) {
      // Also what its probes left behind.
      DescendantProcesses.kill(pods.resolve(pod));
      Folders.remove(pods.resolve(pod));
      cgroups.forget(pod);
    }
  }

  @Override
  public List<String> pods() {
    return records.pods();
  }

  @Override
  public Subscription listen(Consumer<String> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** What runs here uses. */
  public MeasuredUsage usage() {
    return meter;
  }

  @Override
  public boolean keeps(String wanted) {
    return node.equals(wanted);
  }

  @Override
  public boolean serves(String wanted) {
    return node.equals(wanted);
  }

  @Override
  public Optional<Session> open(Wish wish, Output output) throws IOException {
    Optional<RunId> id = records.run(wish.pod(), wish.container(), false);
    Optional<ProcessRun> run = id.flatMap(records::process);
    return run.isEmpty()
        ? Optional.empty()
        : Optional.of(sessions.open(wish, id.get(), run.get(), volumes(wish.pod()), output));
  }

  @Override
  public Socket connect(String pod, int port) throws IOException {
    return sessions.connect(pod, records.processes(pod), port);
  }

  @Override
  public void copy(LogRequest question, Sink sink) throws IOException, InterruptedException {
    Optional<RunId> id = run(question);
    if (id.isPresent()) {
      new LogReader(question, RunFolder.of(pods, id.get()).path(), sink)
          .copy(records.process(id.get()).map(ProcessRun::log));
    }
  }

  @Override
  public boolean has(LogRequest question) {
    return run(question).isPresent();
  }

  private Optional<RunId> run(LogRequest question) {
    return records.run(question.pod(), question.container(), question.previous());
  }

  /** Asks all processes to end, ends those that do not, and returns once all are gone. */
  @Override
  public void close() {
    records.processes().forEach(ProcessRun::terminate);
    try {
      if (!allEnd(FAREWELL)) {
        records.processes().forEach(ProcessRun::kill);
        boolean ignored = allEnd(FAREWELL);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    records.pods().forEach(cgroups::forget);
  }

  private boolean allEnd(Duration patience) throws InterruptedException {
    Instant end = Instant.now().plus(patience);
    while (!records.processes().isEmpty()) {
      if (Instant.now().isAfter(end)) {
        return false;
      }
      Thread.sleep(20);
    }
    return true;
  }
}
