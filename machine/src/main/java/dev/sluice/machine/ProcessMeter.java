package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.usage.MeasuredUsage;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures what the processes of containers use, and what the machine does as a whole, as the
 * system counts it. Cores are those since the last call, or since the beginning.
 *
 * <p>Threads: safe.
 */
final class ProcessMeter implements MeasuredUsage {
  private static final Path PROCESSES = Path.of("/proc");

  /** The unit in which the system reports times to processes. */
  private static final Duration TICK = Duration.ofMillis(10);

  /** A shorter time between two readings gives no figure. */
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private static final Pattern OWN_MEMORY = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");
  private static final Pattern WHOLE_MEMORY = Pattern.compile("(?m)^MemTotal:\\s+(\\d+) kB$");
  private static final Pattern FREE_MEMORY = Pattern.compile("(?m)^MemAvailable:\\s+(\\d+) kB$");

  /** The times that a process and its buried children spent, after its name. */
  private static final int FIRST_TIME = 11;

  /** The cpu time spent until a time, and the usage in the interval before it. */
  private record Look(Duration spent, Instant at, BigDecimal cores) {}

  private final String node;
  private final PodRecords records;
  private final ConcurrentHashMap<RunId, Look> looks = new ConcurrentHashMap<>();
  private volatile Look machine = new Look(spentByAll(), Instant.now(), BigDecimal.ZERO);

  ProcessMeter(String node, PodRecords records) {
    this.node = node;
    this.records = records;
  }

  @Override
  public Optional<Use> container(String pod, String container) {
    looks.keySet().removeIf(id -> records.process(id).isEmpty());
    Optional<RunId> id = records.run(pod, container, false);
    return id.flatMap(records::process).map(run -> use(id.get(), run));
  }

  private Use use(RunId id, ProcessRun run) {
    var processes = new TreeSet<Long>(DescendantProcesses.find(run.folder().path()));
    run.cgroup().ifPresent(group -> processes.addAll(Cgroups.processes(group)));
    Duration spent = Duration.ZERO;
    BigDecimal bytes = BigDecimal.ZERO;
    for (long process : processes) {
      Path folder = PROCESSES.resolve(Long.toString(process));
      spent = spent.plus(spent(text(folder.resolve("stat"))));
      bytes = bytes.add(bytes(OWN_MEMORY, text(folder.resolve("status"))));
    }
    var first = new Look(Duration.ZERO, run.started(), BigDecimal.ZERO);
    Look look = next(looks.getOrDefault(id, first), spent);
    looks.put(id, look);
    return new Use(look.cores(), bytes);
  }

  private static Look next(Look last, Duration spent) {
    Instant now = Instant.now();
    Duration passed = Duration.between(last.at(), now);
    if (passed.compareTo(SHORTEST) < 0) {
      return last;
    }
    long used = Math.max(0, spent.minus(last.spent()).toMillis());
    BigDecimal cores =
        BigDecimal.valueOf(used)
            .divide(BigDecimal.valueOf(passed.toMillis()), 3, RoundingMode.HALF_UP);
    return new Look(spent, now, cores);
  }

  /** The name of a process may have anything in it, also spaces; what follows it has none. */
  private static Duration spent(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    long ticks = 0;
    for (int i = FIRST_TIME; i < FIRST_TIME + 4 && i < fields.length; i++) {
      ticks += Long.parseLong(fields[i]);
    }
    return TICK.multipliedBy(ticks);
  }

  private static BigDecimal bytes(Pattern line, String text) {
    Matcher found = line.matcher(text);
    return found.find()
        ? new BigDecimal(found.group(1)).multiply(BigDecimal.valueOf(1024))
        : BigDecimal.ZERO;
  }

  @Override
  public SortedMap<String, Use> nodes() {
    String memory = text(PROCESSES.resolve("meminfo"));
    BigDecimal used = bytes(WHOLE_MEMORY, memory).subtract(bytes(FREE_MEMORY, memory));
    machine = next(machine, spentByAll());
    return Collections.unmodifiableSortedMap(
        new TreeMap<>(Collections.singletonMap(node, new Use(machine.cores(), used))));
  }

  /** All but what was spent on waiting: of the first line, the fourth and fifth number. */
  private static Duration spentByAll() {
    String[] fields =
        text(PROCESSES.resolve("stat")).lines().findFirst().orElse("").split("\\s+", -1);
    long ticks = 0;
    for (int i = 1; i < Math.min(fields.length, 9); i++) {
      ticks += i == 4 || i == 5 ? 0 : Long.parseLong(fields[i]);
    }
    return TICK.multipliedBy(ticks);
  }

  /** Empty if the process has gone. */
  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }
}
