package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Groups of version 2: one of our own, in it one for each pod, and in that one for each run.
 * Whatever a run starts is in its group and ends with it, however it hides; what it uses is limited
 * there, and how many processes a pod has in the group of the pod.
 *
 * <p>Where the system does not let us, processes are found in other ways, and limits are not
 * enforced, which is said once, when a run first asks for one.
 */
final class Cgroups {
  private static final Logger LOG = LoggerFactory.getLogger(Cgroups.class);

  /** Where they are, or where they are beside those of version 1. */
  private static final List<Path> SYSTEM =
      List.of(Path.of("/sys/fs/cgroup"), Path.of("/sys/fs/cgroup/unified"));

  private static final Path OUR_PLACE = Path.of("/proc/self/cgroup");
  private static final String CONTROLLERS = "cgroup.controllers";
  private static final String PROCESSES = "pids";
  private static final List<String> WANTED = List.of("cpu", "memory", PROCESSES);
  private static final long PERIOD_MICROS = 100_000;
  private static final int LOOKS = 100;
  private static final int PAUSE_MILLIS = 20;

  /**
   * What is limited below a group of our own.
   *
   * @param controllers by which, of those that we want
   */
  private record Shared(List<String> controllers, String whyNotMore) {}

  private final Optional<Path> ours;
  private final Shared shared;
  private final ProcessLimit processes;
  private final AtomicBoolean told = new AtomicBoolean();

  private Cgroups(Optional<Path> ours, Shared shared, ProcessLimit processes) {
    this.ours = ours;
    this.shared = shared;
    this.processes = processes;
  }

  static Cgroups detect() {
    return SYSTEM.stream()
        .filter(root -> Files.exists(root.resolve(CONTROLLERS)))
        .findFirst()
        .map(root -> in(root, root.resolve(ourPlace())))
        .orElseGet(() -> none("this machine has no cgroups of version 2"));
  }

  /** The group that this program is in, which may be its user's own. */
  private static String ourPlace() {
    try {
      return Files.readAllLines(OUR_PLACE).stream()
          .filter(line -> line.startsWith("0::/"))
          .map(line -> line.substring("0::/".length()))
          .findFirst()
          .orElse("");
    } catch (IOException unknown) {
      return "";
    }
  }

  /** Those below the first of these groups that lets us have some. */
  static Cgroups in(Path... parents) {
    for (Path parent : parents) {
      Path ours = parent.resolve("sluice");
      try {
        Files.createDirectories(ours);
        if (takesProcesses(ours)) {
          var limited =
              new Cgroups(Optional.of(ours), shared(parent, ours), ProcessLimit.in(parent));
          limited.limitAll(ours);
          return limited;
        }
      } catch (IOException | SecurityException refused) {
        LOG.debug("cgroups cannot be created in {}", parent, refused);
      }
    }
    return none("cgroups cannot be made; run sluice as root, or in a cgroup of your own");
  }

  private static Cgroups none(String why) {
    return new Cgroups(Optional.empty(), new Shared(List.of(), why), ProcessLimit.in(Path.of("/")));
  }

  /** Tried out, because that depends on more than the owner of the group. */
  private static boolean takesProcesses(Path ours) throws IOException {
    Path group = Files.createDirectories(ours.resolve("trial-" + ProcessHandle.current().pid()));
    try {
      return CapabilityProbe.succeeds(
          List.of("sh", "-c", "echo $$ >\"$1/cgroup.procs\"", "sh", group.toString()));
    } finally {
      remove(group);
    }
  }

  private static Shared shared(Path parent, Path ours) {
    try {
      List<String> there =
          Arrays.asList(Files.readString(parent.resolve(CONTROLLERS)).strip().split(" ", -1));
      List<String> wanted = WANTED.stream().filter(there::contains).toList();
      try {
        share(parent, wanted);
      } catch (IOException busy) {
        stepAside(parent);
        share(parent, wanted);
      }
      share(ours, wanted);
      return new Shared(wanted, "this machine has no cgroups of version 2 with cpu and memory");
    } catch (IOException refused) {
      return new Shared(List.of(), "cgroups cannot be given cpu and memory: " + refused);
    }
  }

  /** Lets the groups below a group have limits. */
  private static void share(Path group, List<String> controllers) throws IOException {
    if (!controllers.isEmpty()) {
      Files.writeString(
          group.resolve("cgroup.subtree_control"), "+" + String.join(" +", controllers));
    }
  }

  /**
   * Leaves a group for one below it: a group whose own processes use something shares it with no
   * others, unless it is the root of all. We may be the only process of a group of our own.
   */
  private static void stepAside(Path group) throws IOException {
    Path aside = Files.createDirectories(group.resolve("sluice-itself"));
    Files.writeString(aside.resolve("cgroup.procs"), Long.toString(ProcessHandle.current().pid()));
  }

  /** Whether what a run uses can be limited. */
  boolean haveLimits() {
    return shared.controllers().containsAll(List.of("cpu", "memory"));
  }

  /** Whether it can be limited how many processes a pod has. */
  boolean limitProcesses() {
    return shared.controllers().contains(PROCESSES);
  }

  private void limitAll(Path ours) throws IOException {
    if (limitProcesses()) {
      Files.writeString(ours.resolve(ProcessLimit.FILE), Long.toString(processes.ofAllPods()));
    }
  }

  /** Makes the group of a run, if groups can be made. */
  Optional<Path> make(RunId id, Launch.Limits limits) throws IOException {
    if (!limits.equals(Launch.Limits.NONE) && !haveLimits()) {
      if (told.compareAndSet(false, true)) {
        LOG.warn(
            "limits of cpu and memory are not enforced on the local node: {}", shared.whyNotMore());
      }
    }
    if (ours.isEmpty()) {
      return Optional.empty();
    }
    Path pod = Files.createDirectories(ours.get().resolve(id.pod()));
    share(pod, shared.controllers());
    if (limitProcesses()) {
      Files.writeString(pod.resolve(ProcessLimit.FILE), Long.toString(processes.ofOnePod()));
    }
    Path group = Files.createDirectories(group(ours.get(), id));
    if (haveLimits()) {
      limit(group, limits);
    }
    return Optional.of(group);
  }

  private static Path group(Path ours, RunId id) {
    return ours.resolve(id.pod()).resolve("%s-%d".formatted(id.container(), id.attempt()));
  }

  private static void limit(Path group, Launch.Limits limits) throws IOException {
    if (limits.cpuMillis().isPresent()) {
      long quota = Math.max(1000, limits.cpuMillis().getAsLong() * PERIOD_MICROS / 1000);
      Files.writeString(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
    }
    if (limits.memoryBytes().isPresent()) {
      Files.writeString(
          group.resolve("memory.max"), Long.toString(limits.memoryBytes().getAsLong()));
      // The whole run ends, as in a container: half of one is of no use.
      Files.writeString(group.resolve("memory.oom.group"), "1");
    }
  }

  /** Ends what is left of a run of an earlier machine. */
  void clear(RunId id) {
    Optional<Path> group = ours.map(all -> group(all, id)).filter(Files::exists);
    group.ifPresent(Cgroups::kill);
    group.ifPresent(Cgroups::remove);
  }

  /** Removes the group of a pod, whose runs have ended. */
  void forget(String pod) {
    ours.map(all -> all.resolve(pod)).filter(Files::exists).ifPresent(Cgroups::remove);
  }

  /** The processes of a group; none if it has gone. */
  static List<Long> processes(Path group) {
    try {
      return Files.readAllLines(group.resolve("cgroup.procs")).stream()
          .map(Long::parseLong)
          .toList();
    } catch (IOException gone) {
      return List.of();
    }
  }

  /** Ends all processes of a group. */
  static void kill(Path group) {
    try {
      Files.writeString(group.resolve("cgroup.kill"), "1", StandardOpenOption.WRITE);
    } catch (IOException notThere) {
      LOG.debug("the cgroup {} cannot be killed as a whole", group, notThere);
    }
  }

  /** Whether the system killed something of a group because it used too much memory. */
  static boolean ranOutOfMemory(Path group) {
    try {
      return Files.readAllLines(group.resolve("memory.events")).stream()
          .anyMatch(line -> line.startsWith("oom_kill ") && !line.equals("oom_kill 0"));
    } catch (IOException unknown) {
      return false;
    }
  }

  /** Removes a group once all that was killed in it has gone, which takes a little time. */
  static void remove(Path group) {
    for (int look = 1; look <= LOOKS; look++) {
      try {
        Files.deleteIfExists(group);
        return;
      } catch (DirectoryNotEmptyException noGroup) {
        // The files of a group go with it, so this is a folder of something else, which stays.
        return;
      } catch (IOException stillUsed) {
        LOG.trace("the cgroup {} is still in use", group, stillUsed);
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    LOG.debug("the cgroup {} could not be removed", group);
  }
}
