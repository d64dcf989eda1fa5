package dev.sluice.store;

import java.nio.file.Path;

/**
 * A directory that cannot be opened as a store. The message is one sentence for the user: the path,
 * what is wrong with it, and the way out. The directory is as it was before.
 */
public final class UnusableDirectoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableDirectoryException(Path directory, String problem, String wayOut) {
    super("%s %s; %s".formatted(directory, problem, wayOut));
  }

  UnusableDirectoryException(Path directory, String problem, String wayOut, Throwable cause) {
    super("%s %s; %s".formatted(directory, problem, wayOut), cause);
  }

  static UnusableDirectoryException damaged(Path directory, String problem) {
    return new UnusableDirectoryException(
        directory,
        "is damaged: " + problem,
        "nothing in it was changed: put back a copy of the directory, or name another one");
  }
}
