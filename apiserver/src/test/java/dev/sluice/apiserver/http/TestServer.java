package dev.sluice.apiserver.http;

import dev.sluice.apiserver.http.limit.Limits;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.apiserver.registry.kind.VersionConverter;
import dev.sluice.apiserver.security.Certificates;
import dev.sluice.apiserver.security.Credential;
import dev.sluice.apiserver.security.Kubeconfig;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.RealTime;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.Store;
import dev.sluice.store.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A server with an empty store, and clients of it. */
public final class TestServer implements AutoCloseable {
  public final RealTime wallClock = new RealTime();
  public final Store store = Stores.inMemory(1000);
  public final Certificates certificates;
  public final StoreRegistry registry;
  public final ApiServer server;
  final Path directory;
  private final HttpClient admin;

  /** Making keys takes longer than most tests, so they all use the same. */
  private static final class Shared {
    static final Certificates CERTIFICATES = make();

    private static Certificates make() {
      try (var time = new RealTime()) {
        return Certificates.open(Files.createTempDirectory("sluice-certificates"), time);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }

  private TestServer(Optional<TimeSource> steppable, ApiServer.Extras extras, Limits limits)
      throws IOException {
    TimeSource time = steppable.orElse(wallClock);
    this.directory = Files.createTempDirectory("sluice-apiserver");
    this.certificates = Shared.CERTIFICATES;
    this.registry =
        new StoreRegistry(
            store,
            time,
            new SplittableRandom(7),
            List.of(),
            List.of(VersionConverter.ofGroup("converted.example.com", TestServer::convert)));
    registry.bootstrap();
    this.server = new ApiServer(registry, store, time, certificates, 0, extras, limits);
    server.start();
    this.admin = client(Optional.of(certificates.admin()), HttpClient.Version.HTTP_2);
  }

  /** The kinds of a group call a field by another name in their old version, and have no shape. */
  private static ApiObject convert(ApiObject object, String apiVersion) {
    boolean toOld = apiVersion.endsWith("/v1beta1");
    String from = toOld ? "colour" : "color";
    Tree spec = object.spec();
    Tree renamed =
        spec.has(from) ? spec.without(from).with(toOld ? "color" : "colour", spec.at(from)) : spec;
    ApiObject converted = object.with(List.of("apiVersion"), apiVersion).withSpec(renamed);
    return toOld ? converted.without(List.of("spec", "shape")) : converted;
  }

  public static TestServer start() {
    return start(Limits.NORMAL);
  }

  public static TestServer start(Limits limits) {
    return start(Optional.empty(), limits);
  }

  static TestServer start(Optional<TimeSource> time, Limits limits) {
    try {
      return new TestServer(time, ApiServer.Extras.NONE, limits);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static TestServer start(ApiServer.Extras extras) {
    try {
      return new TestServer(Optional.empty(), extras, Limits.NORMAL);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** A client that shows a certificate, or none. */
  public HttpClient client(Optional<Credential> credential, HttpClient.Version version) {
    try {
      var trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("ca", certificates.authority().credential().certificate());
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      var own = KeyStore.getInstance("PKCS12");
      own.load(null, null);
      if (credential.isPresent()) {
        own.setKeyEntry(
            "me",
            credential.get().key(),
            new char[0],
            new Certificate[] {credential.get().certificate()});
      }
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, new char[0]);
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return HttpClient.newBuilder().sslContext(context).version(version).build();
    } catch (GeneralSecurityException | IOException failed) {
      throw new IllegalStateException(failed);
    }
  }

  public HttpClient admin() {
    return admin;
  }

  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + path));
  }

  public HttpResponse<String> send(HttpRequest.Builder request) {
    return send(admin, request);
  }

  public static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  public HttpResponse<String> get(String path) {
    return send(request(path));
  }

  Tree getTree(String path) {
    return tree(get(path));
  }

  public HttpResponse<String> post(String path, Tree body) {
    return send(request(path).POST(BodyPublishers.ofString(body.toString())));
  }

  HttpResponse<String> put(String path, Tree body) {
    return send(request(path).PUT(BodyPublishers.ofString(body.toString())));
  }

  public HttpResponse<String> patch(String path, String type, String body) {
    return send(
        request(path).method("PATCH", BodyPublishers.ofString(body)).header("Content-Type", type));
  }

  public HttpResponse<String> delete(String path) {
    return send(request(path).DELETE());
  }

  public static Tree tree(HttpResponse<String> response) {
    return Json.parse(response.body()).asTree();
  }

  public static Tree configMap(String name, String... labels) {
    Tree metadata = Tree.of("name", name);
    for (int i = 0; i < labels.length; i += 2) {
      metadata = metadata.with(List.of("labels", labels[i]), labels[i + 1]);
    }
    return Tree.of(
        "apiVersion",
        "v1",
        "kind",
        "ConfigMap",
        "metadata",
        metadata,
        "data",
        Tree.of("key", "value"));
  }

  public static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  /** Creates a ConfigMap in the namespace default and returns its resourceVersion. */
  public String createConfigMap(String name, String... labels) {
    Tree created = tree(post(CONFIG_MAPS, configMap(name, labels)));
    return created.text("metadata", "resourceVersion");
  }

  Path kubeconfig() throws IOException {
    Path file = directory.resolve("kubeconfig");
    Kubeconfig.write(file, certificates, server.port());
    return file;
  }

  @Override
  public void close() {
    server.close();
    admin.shutdownNow();
    registry.close();
    store.close();
    wallClock.close();
    removeFiles();
  }

  private void removeFiles() {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
