package dev.sluice.apiserver.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.Test;

class CredentialTest {
  private static final Instant NOW = Instant.parse("2026-05-01T00:00:00Z");
  private static final CertificateAuthority AUTHORITY = CertificateAuthority.create(NOW);

  /** A client's key is RSA, a server's on a curve. */
  private static final List<Credential> ISSUED =
      List.of(
          AUTHORITY.issueClient("ann", "users", NOW),
          AUTHORITY.issueServer(List.of("host"), List.of(), NOW));

  @Test
  void readsWhatItWrites() {
    for (Credential issued : ISSUED) {
      assertThat(Credential.parse(issued.certificatePem(), issued.keyPem())).isEqualTo(issued);
    }
  }

  @Test
  void readsKeysAsOtherToolsWriteThem() throws IOException, GeneralSecurityException {
    for (Credential issued : ISSUED) {
      String text = inItsOldForm(issued);

      assertThat(text).containsPattern("BEGIN (RSA|EC) PRIVATE KEY");
      assertThat(fits(Credential.parse(issued.certificatePem(), text))).isTrue();
    }
  }

  /** Whether the key is the one of the certificate. */
  private static boolean fits(Credential read) throws GeneralSecurityException {
    boolean rsa = read.key().getAlgorithm().equals("RSA");
    var signature = Signature.getInstance(rsa ? "SHA256withRSA" : "SHA256withECDSA");
    signature.initSign(read.key());
    byte[] signed = signature.sign();
    signature.initVerify(read.certificate());
    return signature.verify(signed);
  }

  private static String inItsOldForm(Credential issued) throws IOException {
    var now = PrivateKeyInfo.getInstance(issued.key().getEncoded());
    ASN1Encodable inside = now.parsePrivateKey();
    boolean rsa = issued.key().getAlgorithm().equals("RSA");
    if (!rsa) {
      // Outside of PKCS#8 a key has to name its curve itself.
      var key = ECPrivateKey.getInstance(inside);
      inside = new ECPrivateKey(256, key.getKey(), now.getPrivateKeyAlgorithm().getParameters());
    }
    var text = new StringWriter();
    try (var writer = new PemWriter(text)) {
      String name = (rsa ? "RSA" : "EC") + " PRIVATE KEY";
      writer.writeObject(new PemObject(name, inside.toASN1Primitive().getEncoded()));
    }
    return text.toString();
  }

  @Test
  void refusesEverythingElse() {
    Credential issued = ISSUED.getFirst();

    assertThatThrownBy(() -> Credential.parse(issued.certificatePem(), issued.certificatePem()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Credential.parse(issued.certificatePem(), "nonsense"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Credential.parse(issued.keyPem(), issued.keyPem()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
