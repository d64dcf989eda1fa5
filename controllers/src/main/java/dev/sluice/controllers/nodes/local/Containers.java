package dev.sluice.controllers.nodes.local;

import dev.sluice.model.core.pod.Probe.Header;
import dev.sluice.runtime.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * The port to what really runs containers. It remembers every run until its pod is forgotten, also
 * when it is started anew itself: a run that was going on then has ended.
 *
 * <p>No method waits for a process. Threads: safe.
 */
public interface Containers {

  /**
   * One start of a container.
   *
   * @param pod the uid of the pod
   * @param attempt how often the container was started before
   */
  record RunId(String pod, String container, int attempt) {}

  /** What has become of a run. */
  sealed interface State {
    /** The reason of a run that could not even begin. */
    String START_ERROR = "StartError";

    record Running(Instant started) implements State {}

    /**
     * It is over, or could not even begin.
     *
     * @param reason in one word, such as {@code Completed}, {@code Error} or {@link #START_ERROR}
     */
    record Ended(int exitCode, String reason, String message, Instant started, Instant finished)
        implements State {}
  }

  /** A run and what has become of it. */
  record Run(RunId id, State state) {}

  /** Starts a run. One that is known already is left as it is. */
  void start(RunId id, Launch launch);

  /** What is known of the runs of a pod, by container and attempt. */
  List<Run> runs(String pod);

  /** Brings the volumes of a pod up to date, each at once; those that nobody mounted are left. */
  void refresh(String pod, SortedMap<String, Launch.Content.Files> volumes);

  /**
   * What a file says that containers of a pod left in a volume of their own; empty unless it is a
   * file in that volume, and of a size that somebody can mean.
   */
  Optional<String> read(String pod, String volume, String path);

  /**
   * Asks the process of a run to end with its own signal, once however often this is called.
   *
   * @return whether it was asked now
   */
  boolean terminate(RunId id);

  /** Ends a run with all its processes, at once. */
  void kill(RunId id);

  /** Something to find out about a running container. */
  sealed interface Check {
    /** Whether a command succeeds. */
    record Command(Launch launch) implements Check {}

    /** Whether a page can be had. Nobody asks who the server is. */
    record Http(String url, List<Header> headers) implements Check {
      public Http {
        headers = List.copyOf(headers);
      }
    }

    /**
     * Whether a server says that it serves, by the health protocol of gRPC.
     *
     * @param service empty for the server as a whole
     */
    record Grpc(String host, int port, String service) implements Check {}

    /** Whether somebody listens. */
    record Tcp(String host, int port) implements Check {}
  }

  /**
   * Finds something out about a run. Tells once, on any thread: an empty text if it is well, else
   * what is wrong.
   *
   * @param name a word for it, different from that of other checks of the same run
   */
  void check(RunId id, String name, Check check, Duration timeout, Consumer<String> answer);

  /**
   * Asks for a page as a run of its own. Any answer is a good end, and none a bad one. A run that
   * is known already is left as it is.
   */
  void call(RunId id, Check.Http page, Duration timeout);

  /** Ends whatever still runs of a pod and removes all that is kept of it. */
  void forget(String pod);

  /** The uids of the pods of which something is known. */
  List<String> pods();

  /** Tells of every pod of which a run has ended, on any thread. */
  Subscription listen(Consumer<String> listener);
}
