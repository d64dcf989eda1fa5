package dev.sluice.conformance;

import dev.sluice.apiserver.security.CertificateAuthority;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The temporary directory of one control plane: keys, tokens and kubeconfig files, and the ports
 * and arguments by which its programs find each other and these files.
 */
final class ControlPlaneFiles {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String FRONT_PROXY = "front-proxy";

  private final Path folder;
  private final int etcdPort = LocalNetwork.freePort();
  private final int etcdPeerPort = LocalNetwork.freePort();
  private final int apiPort = LocalNetwork.freePort();
  private final String administrator = UUID.randomUUID().toString();
  private final String ordinaryUser = UUID.randomUUID().toString();

  private ControlPlaneFiles(Path folder) {
    this.folder = folder;
  }

  static ControlPlaneFiles create() {
    try {
      var files = new ControlPlaneFiles(Files.createTempDirectory("sluice-kubernetes-"));
      Files.writeString(
          files.path("tokens.csv"),
          "%s,administrator,1,system:masters%n%s,ordinary,2%n"
              .formatted(files.administrator, files.ordinaryUser));
      files.writeAccountKeys();
      files.writeFrontProxy();
      files.writeKubeconfig(files.kubeconfig(), files.administrator);
      return files;
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot prepare a control plane", failed);
    }
  }

  Path folder() {
    return folder;
  }

  String server() {
    return "https://" + LOOPBACK + ":" + apiPort;
  }

  Path kubeconfig() {
    return path("kubeconfig");
  }

  Path kubeconfigOfOrdinaryUser() {
    try {
      Path file = path("kubeconfig-ordinary");
      writeKubeconfig(file, ordinaryUser);
      return file;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  boolean hasCertificate() {
    return Files.exists(certificate()) && Files.exists(path("apiserver.key"));
  }

  List<String> etcdArguments() {
    String client = "http://" + LOOPBACK + ":" + etcdPort;
    String peer = "http://" + LOOPBACK + ":" + etcdPeerPort;
    return List.of(
        "--data-dir=" + path("etcd"),
        "--unsafe-no-fsync",
        "--listen-client-urls=" + client,
        "--advertise-client-urls=" + client,
        "--listen-peer-urls=" + peer,
        "--initial-advertise-peer-urls=" + peer,
        "--initial-cluster=default=" + peer,
        "--log-level=warn");
  }

  List<String> apiServerArguments() {
    return List.of(
        "--etcd-servers=http://" + LOOPBACK + ":" + etcdPort,
        "--bind-address=" + LOOPBACK,
        "--advertise-address=" + LOOPBACK,
        "--secure-port=" + apiPort,
        "--cert-dir=" + folder,
        "--token-auth-file=" + path("tokens.csv"),
        "--authorization-mode=RBAC",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-account-key-file=" + path("account.pub"),
        "--service-account-signing-key-file=" + path("account.key"),
        "--service-cluster-ip-range=10.0.0.0/24",
        "--allow-privileged=true",
        "--disable-admission-plugins=ServiceAccount",
        "--requestheader-client-ca-file=" + path("front-proxy-ca.crt"),
        "--requestheader-allowed-names=" + FRONT_PROXY,
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        "--proxy-client-cert-file=" + path("front-proxy.crt"),
        "--proxy-client-key-file=" + path("front-proxy.key"),
        // Tests write in larger bursts than users do; they are not to be slowed down.
        "--enable-priority-and-fairness=false",
        "--max-mutating-requests-inflight=0",
        "--max-requests-inflight=0");
  }

  List<String> controllerManagerArguments() {
    return List.of(
        "--kubeconfig=" + kubeconfig(),
        "--leader-elect=false",
        "--secure-port=0",
        "--service-account-private-key-file=" + path("account.key"),
        "--root-ca-file=" + certificate(),
        "--node-monitor-grace-period=1h",
        "--kube-api-qps=1000",
        "--kube-api-burst=1000");
  }

  List<String> schedulerArguments() {
    return List.of("--kubeconfig=" + kubeconfig(), "--leader-elect=false", "--secure-port=0");
  }

  void delete() {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | UncheckedIOException gone) {
      // a temporary directory that is left over does no harm
    }
  }

  private Path path(String name) {
    return folder.resolve(name);
  }

  Path certificate() {
    return path("apiserver.crt");
  }

  private void writeKubeconfig(Path file, String token) throws IOException {
    Tree cluster = Tree.of("server", server(), "certificate-authority", certificate().toString());
    Tree context = Tree.of("cluster", "real", "user", "test", "namespace", "default");
    Tree config =
        Tree.of(
            "apiVersion",
            "v1",
            "kind",
            "Config",
            "current-context",
            "real",
            "clusters",
            List.of(Tree.of("name", "real", "cluster", cluster)),
            "users",
            List.of(Tree.of("name", "test", "user", Tree.of("token", token))),
            "contexts",
            List.of(Tree.of("name", "real", "context", context)));
    Files.writeString(file, Yaml.write(config));
  }

  private void writeAccountKeys() throws IOException {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      KeyPair keys = generator.generateKeyPair();
      writePem(path("account.key"), "PRIVATE KEY", keys.getPrivate().getEncoded());
      writePem(path("account.pub"), "PUBLIC KEY", keys.getPublic().getEncoded());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has RSA", impossible);
    }
  }

  /** The certificate of the API server as a client of extension API servers. */
  private void writeFrontProxy() throws IOException {
    var authority = CertificateAuthority.create(Instant.now());
    var proxy = authority.issueClient(FRONT_PROXY, "sluice", Instant.now());
    Files.writeString(path("front-proxy-ca.crt"), authority.credential().certificatePem());
    Files.writeString(path("front-proxy.crt"), proxy.certificatePem());
    Files.writeString(path("front-proxy.key"), proxy.keyPem());
  }

  private static void writePem(Path file, String what, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
  }
}
