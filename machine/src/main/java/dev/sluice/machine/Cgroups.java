package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits what processes use, through groups of version 2 below one of our own. Where the system
 * does not let us, limits are not enforced, which is said once, when a run first asks for one.
 */
final class Cgroups {
  private static final Logger LOG = LoggerFactory.getLogger(Cgroups.class);
  private static final Path SYSTEM = Path.of("/sys/fs/cgroup");
  private static final long PERIOD_MICROS = 100_000;

  private final Optional<Path> ours;
  private final String whyNot;
  private final AtomicBoolean told = new AtomicBoolean();

  private Cgroups(Optional<Path> ours, String whyNot) {
    this.ours = ours;
    this.whyNot = whyNot;
  }

  static Cgroups detect() {
    return in(SYSTEM);
  }

  /** Those below a root, which is the system's except in tests. */
  static Cgroups in(Path root) {
    try {
      Path controllers = root.resolve("cgroup.controllers");
      List<String> there =
          Files.exists(controllers)
              ? Arrays.asList(Files.readString(controllers).strip().split(" ", -1))
              : List.of();
      if (!there.containsAll(List.of("cpu", "memory"))) {
        return none("this machine has no cgroups of version 2 with cpu and memory");
      }
      Path ours = Files.createDirectories(root.resolve("sluice"));
      for (Path group : List.of(root, ours)) {
        Files.writeString(group.resolve("cgroup.subtree_control"), "+cpu +memory");
      }
      return new Cgroups(Optional.of(ours), "");
    } catch (IOException | SecurityException refused) {
      return none("cgroups cannot be made: " + refused);
    }
  }

  private static Cgroups none(String why) {
    return new Cgroups(Optional.empty(), why);
  }

  /** Makes the group of a run, if it needs one and groups can be made. */
  Optional<Path> make(String name, Launch.Limits limits) throws IOException {
    if (limits.equals(Launch.Limits.NONE)) {
      return Optional.empty();
    }
    if (ours.isEmpty()) {
      if (told.compareAndSet(false, true)) {
        LOG.warn("limits of cpu and memory are not enforced on the local node: {}", whyNot);
      }
      return Optional.empty();
    }
    Path group = Files.createDirectories(ours.get().resolve(name));
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
    return Optional.of(group);
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

  /** Removes a group, which must be empty by now. */
  static void remove(Path group) {
    try {
      Files.deleteIfExists(group);
    } catch (IOException stillUsed) {
      LOG.debug("the cgroup {} stays", group, stillUsed);
    }
  }
}
