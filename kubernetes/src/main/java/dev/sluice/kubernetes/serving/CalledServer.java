package dev.sluice.kubernetes.serving;

import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server of ours that the API server calls where it is registered. Every minute it checks whether
 * the registration is still there, and whether it has a new certificate. One that the API server
 * learns to trust only now is shown a little later, so that no call fails in between.
 *
 * <p>Threads: safe. One thread of its own does everything that needs the API server.
 */
final class CalledServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CalledServer.class);
  private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(1);

  /** An API server needs about a second to follow what is registered. */
  private static final Duration UNTIL_TRUSTED = Duration.ofSeconds(5);

  /** How the API server learns of it. */
  interface Registration {
    /** For a server that other clients call. */
    Registration NONE =
        new Registration() {
          @Override
          public void register(int port, String bundle) {}

          @Override
          public void unregister(int port) {}
        };

    /** Registers it, where it is not registered like this already. */
    void register(int port, String bundle);

    /** Takes back what {@link #register} registered, unless another server has registered since. */
    void unregister(int port);
  }

  private final String name;
  private final ServingCertificate.Source source;
  private final ServingTls tls;
  private final WebServer server;
  private final Registration registration;
  private final TimeSource time;
  private final ExecutorService owner;
  private volatile boolean serving;

  private volatile boolean registered; // only the owner changes it

  // These belong to the owner.
  private String trusted = "";
  private Optional<ServingCertificate> shown = Optional.empty();
  private Subscription nextLook = () -> {};
  private Subscription nextTask = () -> {};

  /**
   * @param name what it is called in logs
   * @param tls the one that the server uses
   */
  CalledServer(
      String name,
      ServingCertificate.Source source,
      ServingTls tls,
      WebServer server,
      Registration registration,
      TimeSource time) {
    this.name = name;
    this.source = source;
    this.tls = tls;
    this.server = server;
    this.registration = registration;
    this.time = time;
    this.owner = Executors.newSingleThreadExecutor(Thread.ofVirtual().name(name).factory());
  }

  /**
   * Begins to serve, without telling the API server.
   *
   * @throws IllegalArgumentException if it cannot listen where it should
   */
  void serve() {
    owned(() -> {
      show(source.current());
      server.start();
      serving = true;
      lookLater(BETWEEN_LOOKS);
    });
  }

  boolean serves() {
    return serving;
  }

  /** Whether the API server knows where it is. */
  boolean isRegistered() {
    return registered;
  }

  int port() {
    return server.port();
  }

  /** Registers with the API server, and keeps the registration up to date. */
  void register() {
    owned(() -> {
      refresh(true);
      registered = true;
    });
  }

  /** Takes back what was registered, if anything was. */
  void unregister() {
    owned(() -> {
      if (registered) {
        registered = false;
        registration.unregister(server.port());
      }
    });
  }

  /** Does something after a while, where what needs the API server is done; one thing at a time. */
  void later(Duration wait, Runnable task) {
    owner.execute(() -> nextTask = time.after(wait, () -> owner.execute(() -> attempt(task))));
  }

  private void attempt(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException failed) {
      LOG.warn("the {} could not be checked: {}", name, failed.getMessage());
    }
  }

  /** Registers again what has changed. Only for what is done {@link #later}. */
  void registerAgain() {
    if (registered) {
      refresh(true);
    }
  }

  private void owned(Runnable task) {
    try {
      owner.submit(task).get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new IllegalStateException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the " + name, interrupted);
    }
  }

  /**
   * Callers learn the new authority first, then the server shows the new certificate.
   *
   * @param told whether callers are informed at all
   * @return whether showing it is still to be done
   */
  private boolean refresh(boolean told) {
    ServingCertificate now = source.current();
    boolean news = told && !now.bundle().equals(trusted);
    if (told) {
      registration.register(server.port(), now.bundle());
      trusted = now.bundle();
    }
    if (news && shown.filter(before -> before.isTrustedBy(now.bundle())).isPresent()) {
      return !shown.equals(Optional.of(now));
    }
    show(now);
    return false;
  }

  private void show(ServingCertificate now) {
    if (!shown.equals(Optional.of(now))) {
      tls.show(now);
      shown = Optional.of(now);
    }
  }

  private void lookLater(Duration wait) {
    nextLook = time.after(wait, () -> owner.execute(this::lookAgain));
  }

  private void lookAgain() {
    boolean unfinished = false;
    try {
      unfinished = refresh(registered);
    } catch (RuntimeException failed) {
      LOG.warn("the registration of the {} could not be checked: {}", name, failed.getMessage());
    }
    lookLater(unfinished ? UNTIL_TRUSTED : BETWEEN_LOOKS);
  }

  /** Stops to serve. What is registered stays registered. */
  @Override
  public void close() {
    if (!owner.isShutdown()) {
      owned(() -> {
        nextLook.close();
        nextTask.close();
      });
      serving = false;
      owner.close();
      server.close();
    }
  }
}
