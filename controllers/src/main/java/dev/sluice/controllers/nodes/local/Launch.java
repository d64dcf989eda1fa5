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
 * What is to be started, with nothing left to look up.
 *
 * @param directory where it starts; empty for a folder of its own
 * @param stopSignal the number of the signal that asks it to end
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

  /** A command without anything special about it. */
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
   * What it may use.
   *
   * @param cpuMillis cpu time, in thousandths of a core
   */
  public record Limits(OptionalLong cpuMillis, OptionalLong memoryBytes) {
    public static final Limits NONE = new Limits(OptionalLong.empty(), OptionalLong.empty());
  }

  /**
   * Its last words.
   *
   * @param path where it writes them; empty if nobody wants to know
   * @param orLogs whether the end of its log is taken where it failed without a word
   */
  public record Message(String path, boolean orLogs) {
    public static final Message NONE = new Message("", false);
  }

  /**
   * How it can be talked to.
   *
   * @param input whether it has an input that others can write to
   * @param once whether that input ends with the first one who wrote to it
   * @param terminal whether it has a terminal
   */
  public record Streams(boolean input, boolean once, boolean terminal) {
    public static final Streams NONE = new Streams(false, false, false);
  }

  /**
   * The rights it wants to be without.
   *
   * @param noNewPrivileges whether programs that it starts never have more rights than it has
   * @param droppedCapabilities such as {@code NET_RAW} or {@code ALL}
   */
  public record Restraint(boolean noNewPrivileges, List<String> droppedCapabilities) {
    public static final Restraint NONE = new Restraint(false, List.of());

    public Restraint {
      droppedCapabilities = List.copyOf(droppedCapabilities);
    }
  }

  /** Something that the process finds at a path. */
  public record Mount(
      String volume, Content content, String path, String subPath, boolean readOnly) {}

  /** What is in a volume. All containers of a pod share one of the same name. */
  public sealed interface Content {
    /** Whatever the pod puts there. */
    record Scratch() implements Content {}

    /** A file or folder of this machine. */
    record Host(String path, String type) implements Content {}

    /** Files by their paths inside the volume. */
    record Files(SortedMap<String, FileContent> files) implements Content {
      public Files {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
      }
    }
  }

  /** A file with its mode; nobody may change the bytes. */
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

  /** The same surroundings, to run something else in them. */
  public Launch withCommand(List<String> other, Streams talk) {
    return new Launch(
        other,
        environment,
        directory,
        mounts,
        limits,
        Message.NONE,
        talk,
        restraint,
        StopSignals.USUAL);
  }
}
