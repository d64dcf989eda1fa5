package dev.sluice.machine;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.controllers.nodes.local.LocalMachine;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Looks at the machine that this program runs on. */
public final class ThisMachine {
  private static final int MAX_PODS = 110;

  private ThisMachine() {}

  /**
   * @param name of its node
   * @param folder on the disk that its pods use
   */
  public static LocalMachine look(String name, Path folder, String version) throws IOException {
    var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    Tree capacity =
        Tree.of(
            "cpu",
            Integer.toString(Runtime.getRuntime().availableProcessors()),
            "memory",
            system.getTotalMemorySize() / 1024 + "Ki",
            "ephemeral-storage",
            Files.getFileStore(folder).getTotalSpace() / 1024 + "Ki",
            "pods",
            Integer.toString(MAX_PODS));
    var facts = new TreeMap<String, String>();
    facts.put("architecture", architecture());
    facts.put("operatingSystem", operatingSystem());
    facts.put("kernelVersion", System.getProperty("os.version"));
    facts.put("osImage", osImage());
    facts.put("machineID", firstLine("/etc/machine-id"));
    facts.put("systemUUID", firstLine("/etc/machine-id"));
    facts.put("bootID", firstLine("/proc/sys/kernel/random/boot_id"));
    facts.put("kubeletVersion", "sluice-" + version);
    facts.put("kubeProxyVersion", "");
    facts.put("containerRuntimeVersion", "process://" + version);
    long user = ((Number) Files.getAttribute(folder, "unix:uid")).longValue();
    long group = ((Number) Files.getAttribute(folder, "unix:gid")).longValue();
    String hostname = firstLine("/etc/hostname");
    return new LocalMachine(
        name, "127.0.0.1", hostname.isEmpty() ? name : hostname, user, group, capacity, facts);
  }

  private static String architecture() {
    String name = System.getProperty("os.arch");
    return switch (name) {
      case "x86_64" -> "amd64";
      case "aarch64" -> "arm64";
      default -> name;
    };
  }

  private static String operatingSystem() {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    return name.startsWith("mac") ? "darwin" : name;
  }

  private static String osImage() {
    return lines("/etc/os-release")
        .filter(line -> line.startsWith("PRETTY_NAME="))
        .map(line -> line.substring("PRETTY_NAME=".length()).replace("\"", ""))
        .findFirst()
        .orElse("");
  }

  private static String firstLine(String file) {
    return lines(file).findFirst().orElse("");
  }

  private static Stream<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file)).stream();
    } catch (IOException notHere) {
      return Stream.empty();
    }
  }
}
