package dev.sluice.controllers.nodes.local;

import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is to be started, with nothing left to look up.
 *
 * @param directory where it starts; empty for a folder of its own
 * @param cpuMillis how much cpu time it may use, in thousandths of a core
 */
public record Launch(
    List<String> command,
    SortedMap<String, String> environment,
    String directory,
    List<Mount> mounts,
    OptionalLong cpuMillis,
    OptionalLong memoryBytes) {

  public Launch {
    command = List.copyOf(command);
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    mounts = List.copyOf(mounts);
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
  }

  /** The same, to run something else instead. */
  Launch withCommand(List<String> other) {
    return new Launch(other, environment, directory, mounts, cpuMillis, memoryBytes);
  }
}
