package dev.sluice.apiserver.security;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.util.io.pem.PemGenerationException;

/** A certificate with its private key, and their PEM texts. */
public record Credential(X509Certificate certificate, PrivateKey key) {

  /** Parses the first of each from PEM, whatever else is there; throws if either is invalid. */
  public static Credential parse(String certificatePem, String keyPem) {
    try (var certificates = new PEMParser(new StringReader(certificatePem));
        var keys = new PEMParser(new StringReader(keyPem))) {
      return new Credential(
          new JcaX509CertificateConverter().getCertificate(certificate(certificates)),
          new JcaPEMKeyConverter().getPrivateKey(key(keys)));
    } catch (IOException | CertificateException unreadable) {
      throw new IllegalArgumentException(
          "not a PEM certificate with its key: " + unreadable.getMessage(), unreadable);
    }
  }

  /** In PKCS#8, or in the older form of its algorithm, which may come behind its parameters. */
  private static PrivateKeyInfo key(PEMParser texts) throws IOException {
    for (var found = texts.readObject(); found != null; found = texts.readObject()) {
      switch (found) {
        case PrivateKeyInfo information -> {
          return information;
        }
        case PEMKeyPair pair -> {
          return pair.getPrivateKeyInfo();
        }
        default -> {}
      }
    }
    throw new IllegalArgumentException("not a PEM certificate with its key, unencrypted");
  }

  private static X509CertificateHolder certificate(PEMParser texts) throws IOException {
    for (var found = texts.readObject(); found != null; found = texts.readObject()) {
      if (found instanceof X509CertificateHolder holder) {
        return holder;
      }
    }
    throw new IllegalArgumentException("not a PEM certificate with its key");
  }

  public String certificatePem() {
    return pem(certificate);
  }

  public String keyPem() {
    try {
      return pem(new JcaPKCS8Generator(key, null));
    } catch (PemGenerationException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Whether the certificate is valid now and for some time to come. */
  public boolean lasts(Duration least, Instant now) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && now.plus(least).isBefore(certificate.getNotAfter().toInstant());
  }

  private static String pem(Object content) {
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      writer.writeObject(content);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  /** Without the key: the string may end up in a log. */
  @Override
  public String toString() {
    return certificate.getSubjectX500Principal() + " until " + certificate.getNotAfter();
  }
}
