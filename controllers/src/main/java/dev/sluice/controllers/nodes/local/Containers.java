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
 * The port to the container runtime. It keeps every run until its pod is forgotten, also across its
 * own restart: a run that was active then has ended.
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

  /** The state of a run. */
  sealed interface State {
    /** The reason of a run that could not start. */
    String START_ERROR = "StartError";

    record Running(Instant started) implements State {}

    /**
     * The run has ended, or could not start.
     *
     * @param reason in one word, such as {@code Completed}, {@code Error} or {@link #START_ERROR}
     */
    record Ended(int exitCode, String reason, String message, Instant started, Instant finished)
        implements State {}
  }

  /** A run with its state. */
  record Run(RunId id, State state) {}

  /** Starts a run. A run that exists already is not changed. */
  void start(RunId id, Launch launch);

  /** The runs of a pod, by container and attempt. */
  List<Run> runs(String pod);

  /**
   * Updates the volumes of a pod, each atomically; volumes that no container mounts are skipped.
   */
  void refresh(String pod, SortedMap<String, Launch.Content.Files> volumes);

  /**
   * The contents of a file that containers of a pod wrote to a volume of their own; empty unless it
   * is a file in that volume and of a reasonable size.
   */
  Optional<String> read(String pod, String volume, String path);

  /**
   * Sends its stop signal to the process of a run, once however often this is called.
   *
   * @return whether the signal was sent now
   */
  boolean terminate(RunId id);

  /** Kills a run with all its processes, at once. */
  void kill(RunId id);

  /** A check of a running container. */
  sealed interface Check {
    /** Whether a command succeeds. */
    record Command(Launch launch) implements Check {}

    /** Whether an HTTP request succeeds. The certificate of the server is not verified. */
    record Http(String url, List<Header> headers) implements Check {
      public Http {
        headers = List.copyOf(headers);
      }
    }

    /**
     * Whether a server reports that it is serving, by the health protocol of gRPC.
     *
     * @param service empty for the server as a whole
     */
    record Grpc(String host, int port, String service) implements Check {}

    /** Whether a server listens on a port. */
    record Tcp(String host, int port) implements Check {}
  }

  /**
   * Checks a run. The callback is called once, on any thread: with an empty string if the check
   * succeeds, otherwise with what is wrong.
   *
   * @param name a name that differs from those of other checks of the same run
   */
  void check(RunId id, String name, Check check, Duration timeout, Consumer<String> answer);

  /**
   * Sends an HTTP request as a run of its own. Any response is a success, and none a failure. A run
   * that exists already is not changed.
   */
  void call(RunId id, Check.Http page, Duration timeout);

  /** Kills whatever still runs of a pod and removes all that is kept of it. */
  void forget(String pod);

  /** The uids of the pods that have runs or data. */
  List<String> pods();

  /** Notifies a listener of the pod of every run that ends, on any thread. */
  Subscription listen(Consumer<String> listener);
}
