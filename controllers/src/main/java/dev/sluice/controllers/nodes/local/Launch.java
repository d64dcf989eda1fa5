package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.fields.StopSignals;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The complete description of a process to start, with all references resolved.
 *
 * @param directory where it starts; empty for a directory of its own
 * @param stopSignal the number of the signal that terminates it
 */
public record Launch(
    List<String> command,
    SortedMap<String, String> environment,
    String directory,
    List<Mount> mounts,
    Limits limits,
    Message message,
    Streams streams,
    Restraint restraint,
    int stopSignal) {

  public Launch {
    command = List.copyOf(command);
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    mounts = List.copyOf(mounts);
  }

  /** A command with defaults for everything else. */
  public static Launch of(List<String> command, SortedMap<String, String> environment) {
    return new Launch(
        command,
        environment,
        "",
        List.of(),
        Limits.NONE,
        Message.NONE,
        Streams.NONE,
        Restraint.NONE,
        StopSignals.USUAL);
  }

  /**
   * The resource limits.
   *
   * @param cpuMillis cpu time, in thousandths of a core
   */
  public record Limits(OptionalLong cpuMillis, OptionalLong memoryBytes) {
    public static final Limits NONE = new Limits(OptionalLong.empty(), OptionalLong.empty());
  }

  /**
   * The termination message.
   *
   * @param path where the process writes it; empty if it is not read
   * @param orLogs whether the end of the log is taken if the process failed without a message
   */
  public record Message(String path, boolean orLogs) {
    public static final Message NONE = new Message("", false);
  }

  /**
   * The standard streams.
   *
   * @param input whether it has a standard input to which clients can attach
   * @param once whether that input closes when the first client detaches
   * @param terminal whether it has a terminal
   */
  public record Streams(boolean input, boolean once, boolean terminal) {
    public static final Streams NONE = new Streams(false, false, false);
  }

  /**
   * The privileges that it gives up.
   *
   * @param noNewPrivileges whether programs that it starts never have more privileges than it has
   * @param droppedCapabilities such as {@code NET_RAW} or {@code ALL}
   */
  public record Restraint(boolean noNewPrivileges, List<String> droppedCapabilities) {
    public static final Restraint NONE = new Restraint(false, List.of());

    public Restraint {
      droppedCapabilities = List.copyOf(droppedCapabilities);
    }
  }

  /** A volume mounted at a path. */
  public record Mount(
      String volume, Content content, String path, String subPath, boolean readOnly) {}

  /** The contents of a volume. All containers of a pod share the volume of the same name. */
  public sealed interface Content {
    /** An empty directory. */
    record Scratch() implements Content {}

    /** A file or directory of this machine. */
    record Host(String path, String type) implements Content {}

    /** Files by their paths inside the volume. */
    record Files(SortedMap<String, FileContent> files) implements Content {
      public Files {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
      }
    }
  }

  /** A file with its mode; the bytes are never changed. */
  public static final class FileContent {
    private final byte[] bytes;
    private final int mode;

    public FileContent(byte[] bytes, int mode) {
      this.bytes = bytes;
      this.mode = mode;
    }

    public byte[] bytes() {
      return bytes;
    }

    public int mode() {
      return mode;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof FileContent file
          && mode == file.mode
          && Arrays.equals(bytes, file.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes) * 31 + mode;
    }
  }

  /** The same environment with another command. */
  public Launch withCommand(List<String> other, Streams otherStreams) {
    return new Launch(
        other,
        environment,
        directory,
        mounts,
        limits,
        Message.NONE,
        otherStreams,
        restraint,
        StopSignals.USUAL);
  }
}
