package dev.sluice.conformance.kueue;

import dev.sluice.conformance.RealKubernetes;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;

/** Rules of Kueue's kinds, which hold behind a real API server as on our own. */
abstract class KueueRules {
  final List<KueueServer> servers;

  private int names;

  KueueRules(RealKubernetes kubernetes) {
    this.servers = List.of(KueueServer.real(kubernetes), KueueServer.embedded());
  }

  @AfterAll
  void close() {
    servers.forEach(KueueServer::close);
  }

  /** A name that no other object has, not even one of another test. */
  final String newName() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT) + "-" + names++;
  }
}
