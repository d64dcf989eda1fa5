package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.apiserver.security.CertificateAuthority;
import dev.sluice.apiserver.security.Credential;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.OpsServer;
import dev.sluice.model.ApiException;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.RealTime;
import dev.sluice.runtime.VirtualTime;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import javax.net.ssl.X509KeyManager;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class ConnectionTest {
  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      current-context: one
      clusters:
      - name: first
        cluster: {server: "https://one.example:6443"}
      - name: second
        cluster: {server: "https://two.example:6443"}
      users:
      - name: me
        user: {token: secret}
      contexts:
      - name: one
        context: {cluster: first, user: me}
      - name: two
        context: {cluster: second, user: me}
      """;

  @TempDir private Path folder;

  private Path kubeconfig(String text) throws IOException {
    return Files.writeString(folder.resolve("config"), text);
  }

  @Test
  void takesTheCurrentContext() throws IOException {
    Path file = kubeconfig(KUBECONFIG.replace("current-context: one", "current-context: two"));

    assertThat(Connection.kubeconfig(file).server()).startsWith("https://two.example:6443");
  }

  record Case(String name, String text, String replaced, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> WRONG =
      List.of(
          new Case(
              "no context",
              "current-context: one\n",
              "",
              "no current-context that it knows; its contexts"),
          new Case(
              "an unknown context", "current-context: one", "current-context: x", "[one, two]"),
          new Case("no host", "https://one.example:6443", "https://a_b:1", "\"https://a_b:1/\""),
          new Case("no scheme", "https://one.example:6443", "one.example:6443", "without a scheme"),
          new Case("no address", "https://one.example:6443", "https://a b", "a b"));

  @ParameterizedTest
  @FieldSource("WRONG")
  void refusesAFileThatDoesNotNameAServerClearly(Case c) throws IOException {
    Path file = kubeconfig(KUBECONFIG.replace(c.text(), c.replaced()));

    assertThatThrownBy(() -> Connection.kubeconfig(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the kubeconfig " + file)
        .hasMessageContaining(c.want());
  }

  static final List<Case> NO_KUBECONFIG =
      List.of(
          new Case("another kind", "kind: Config", "kind: Node", "is none: it must have one"),
          new Case("several documents", "users:", "---\nusers:", "is none: it must have one"),
          new Case("a list", KUBECONFIG, "[a, b]", "is none: it must have one"),
          new Case("nothing", KUBECONFIG, "", "is none: it must have one"),
          new Case("a list that does not end", "{token: secret}", "[a", "line "));

  @ParameterizedTest
  @FieldSource("NO_KUBECONFIG")
  void refusesAFileThatIsSomethingElse(Case c) throws IOException {
    refusesAFileThatDoesNotNameAServerClearly(c);
  }

  @Test
  void refusesAFolderAndBytesThatAreNoText() throws IOException {
    Path bytes = Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff, 0, 1});

    for (Path file : List.of(folder, bytes)) {
      assertThatThrownBy(() -> Connection.kubeconfig(file))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the kubeconfig " + file + " is not a readable file");
    }
  }

  @Test
  void refusesCertificatesThatAreNone() throws IOException {
    String none = base64("no certificate");
    Path file =
        kubeconfig(
            KUBECONFIG.replace(
                "{token: secret}",
                "{client-certificate-data: %s, client-key-data: %s}".formatted(none, none)));
    Connection connection = Connection.kubeconfig(file);

    assertThatThrownBy(() ->
            new KubernetesCluster(
                connection, new VirtualTime(Instant.EPOCH), new SplittableRandom(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the certificates or keys for https://one.example:6443");
  }

  @Test
  void namesACertificateThatIsNotThere() throws IOException {
    Path missing = folder.resolve("missing.crt");
    Path file =
        kubeconfig(
            KUBECONFIG.replace(
                "one.example:6443\"",
                "one.example:6443\", certificate-authority: \"%s\"".formatted(missing)));
    Connection connection = Connection.kubeconfig(file);

    assertThatThrownBy(connection::client)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(missing.toString());
  }

  private static final Instant THEN = Instant.parse("2026-05-01T00:00:00Z");
  private static final CertificateAuthority AUTHORITY = CertificateAuthority.create(THEN);
  private static final Credential RSA = AUTHORITY.issueClient("ann", "users", THEN);
  private static final Credential CURVE = AUTHORITY.issueServer(List.of("ann"), List.of(), THEN);

  /** A key as a tool writes it. */
  record KeyCase(String name, Credential own, String key) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<KeyCase> KEYS =
      List.of(
          new KeyCase("RSA in PKCS#8", RSA, RSA.keyPem()),
          new KeyCase("RSA in PKCS#1", RSA, olderForm(RSA)),
          new KeyCase("a curve in PKCS#8, as envtest writes it", CURVE, CURVE.keyPem()),
          new KeyCase("a curve in SEC 1", CURVE, olderForm(CURVE)),
          new KeyCase(
              "a curve in SEC 1 behind its parameters, as openssl writes it",
              CURVE,
              "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
                  + olderForm(CURVE)));

  @ParameterizedTest
  @FieldSource("KEYS")
  void showsTheCertificateOfTheUser(KeyCase c) throws Exception {
    Path certificate = Files.writeString(folder.resolve("c.crt"), c.own().certificatePem());
    Path key = Files.writeString(folder.resolve("c.key"), c.key());
    for (String user :
        List.of(
            "{client-certificate-data: %s, client-key-data: %s}"
                .formatted(base64(c.own().certificatePem()), base64(c.key())),
            "{client-certificate: %s, client-key: %s}".formatted(certificate, key),
            "{client-certificate: c.crt, client-key: c.key}")) {
      Path file = kubeconfig(KUBECONFIG.replace("{token: secret}", user));

      assertProves(c.own(), Connection.kubeconfig(file));
      Connection.kubeconfig(file).client().close();
    }
  }

  /** The certificate is shown, and what its key signs fits it. */
  private static void assertProves(Credential own, Connection connection)
      throws GeneralSecurityException {
    var keys = (X509KeyManager) connection.certificate().orElseThrow().keyManagers()[0];
    assertThat(keys.getCertificateChain("own")).containsExactly(own.certificate());
    boolean rsa = own.key().getAlgorithm().equals("RSA");
    var signature = Signature.getInstance(rsa ? "SHA256withRSA" : "SHA256withECDSA");
    signature.initSign(keys.getPrivateKey("own"));
    byte[] signed = signature.sign();
    signature.initVerify(own.certificate());
    assertThat(signature.verify(signed)).isTrue();
  }

  /** In the form that is only for keys of its algorithm; there a curve is a part of the key. */
  private static String olderForm(Credential own) {
    var text = new StringWriter();
    try (var writer = new PemWriter(text)) {
      var known = PrivateKeyInfo.getInstance(own.key().getEncoded());
      ASN1Encodable inner = known.parsePrivateKey();
      boolean rsa = own.key().getAlgorithm().equals("RSA");
      if (!rsa) {
        BigInteger secret = ECPrivateKey.getInstance(inner).getKey();
        inner = new ECPrivateKey(256, secret, known.getPrivateKeyAlgorithm().getParameters());
      }
      byte[] bytes = inner.toASN1Primitive().getEncoded();
      writer.writeObject(new PemObject((rsa ? "RSA" : "EC") + " PRIVATE KEY", bytes));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A name that is too long for DNS is unknown without asking anybody. */
  @ParameterizedTest
  @CsvSource({
    "https://127.0.0.1:1,nothing listens there",
    "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.invalid:1,"
        + "no host of that name is known"
  })
  void saysWhyNobodyAnswers(String server, String why) throws IOException {
    Path file = kubeconfig(KUBECONFIG.replace("https://one.example:6443", server));
    try (var time = new RealTime();
        var cluster =
            new KubernetesCluster(Connection.kubeconfig(file), time, new SplittableRandom(1))) {

      assertThatThrownBy(() -> cluster.uncached().get(Kinds.JOB.key("default", "any")))
          .isInstanceOf(ApiException.class)
          .hasMessage("cannot reach the API server at %s: %s", server, why);
    }
  }

  @Test
  void whateverIsNoApiServerIsNamed() throws IOException {
    try (var time = new RealTime();
        var site =
            OpsServer.metrics(
                new HostAndPort("127.0.0.1", 0), () -> "", path -> Optional.of("<html>"))) {
      site.start();
      String server = "http://127.0.0.1:" + site.port();
      Path file = kubeconfig(KUBECONFIG.replace("https://one.example:6443", server));
      try (var cluster =
          new KubernetesCluster(Connection.kubeconfig(file), time, new SplittableRandom(1))) {

        assertThatThrownBy(() -> cluster.uncached().get(Kinds.JOB.key("default", "any")))
            .isInstanceOf(ApiException.class)
            .hasMessageContaining(server)
            .hasMessageContaining("it is no API server");
      }
    }
  }

  @Test
  void refusesAFileThatIsNotThere() {
    assertThatThrownBy(() -> Connection.kubeconfig(folder.resolve("missing")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("missing is not a readable file");
  }

  @Test
  void aPodSpeaksToItsOwnClusterWithTheTokenAsItIsNow() throws IOException {
    Files.writeString(folder.resolve("token"), "first\n");
    var connection =
        Connection.inCluster(
            Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443"),
            folder);

    assertThat(connection.server()).startsWith("https://[fd00::1]:6443");
    assertThat(connection.config().getOauthTokenProvider().getToken()).isEqualTo("first");
    Files.writeString(folder.resolve("token"), "second");
    assertThat(connection.config().getOauthTokenProvider().getToken()).isEqualTo("second");
  }

  @Test
  void outsideAPodThereIsNoClusterToSpeakTo() {
    assertThatThrownBy(() -> Connection.inCluster(Map.of(), folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not run in a pod")
        .hasMessageContaining("kubeconfig");
  }
}
