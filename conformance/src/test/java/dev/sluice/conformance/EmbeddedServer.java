package dev.sluice.conformance;

import dev.sluice.apiserver.cluster.EmbeddedCluster;
import dev.sluice.apiserver.http.ApiServer;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.apiserver.registry.kind.VersionConverter;
import dev.sluice.apiserver.security.Certificates;
import dev.sluice.apiserver.security.Kubeconfig;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.RealTime;
import dev.sluice.store.Store;
import dev.sluice.store.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** Our own API server with an empty store, for comparison with the real one. */
public final class EmbeddedServer implements AutoCloseable {
  private final RealTime time = new RealTime();
  private final Store store = Stores.inMemory(1000);
  private final StoreRegistry registry;
  private final ApiServer server;
  private final Path kubeconfig;

  public EmbeddedServer(Path folder) throws IOException {
    this(folder, List.of());
  }

  /**
   * @param converters for kinds whose versions differ in shape
   */
  public EmbeddedServer(Path folder, List<VersionConverter> converters) throws IOException {
    Certificates certificates = Certificates.open(folder, time);
    this.registry = new StoreRegistry(store, time, new SplittableRandom(1), List.of(), converters);
    registry.bootstrap();
    this.server = new ApiServer(registry, store, time, certificates, 0, ApiServer.Extras.NONE);
    server.start();
    this.kubeconfig = folder.resolve("kubeconfig");
    Kubeconfig.write(kubeconfig, certificates, server.port());
  }

  public Path kubeconfig() {
    return kubeconfig;
  }

  /** What is behind the server, as controllers see it. */
  public Cluster cluster() {
    return new EmbeddedCluster(registry, store, time, new SplittableRandom(2));
  }

  @Override
  public void close() {
    server.close();
    registry.close();
    store.close();
    time.close();
  }
}
