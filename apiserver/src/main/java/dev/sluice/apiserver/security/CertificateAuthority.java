package dev.sluice.apiserver.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The certificate authority of one server and its clients. Its own keys are on the curve P-256,
 * which every client supports; the keys of clients are RSA, because some clients (fabric8 among
 * them) read no other from a kubeconfig. Certificates are valid from an hour before they are
 * issued, so that a client whose clock is a little behind can use a new one.
 */
public record CertificateAuthority(Credential credential) {
  private static final Duration OWN_LIFE = Duration.ofDays(3650);
  private static final Duration ISSUED_LIFE = Duration.ofDays(365);
  private static final Duration CLOCK_SKEW = Duration.ofHours(1);
  private static final int SERIAL_BITS = 127;
  private static final int RSA_BITS = 2048;

  private record ExtensionValue(ASN1ObjectIdentifier type, boolean critical, ASN1Encodable value) {}

  /** A new authority. */
  public static CertificateAuthority create(Instant now) {
    KeyPair keys = ellipticKeys();
    X500Name name = new X500NameBuilder().addRDN(BCStyle.CN, "sluice-ca").build();
    var extensions =
        List.of(
            new ExtensionValue(Extension.basicConstraints, true, new BasicConstraints(0)),
            new ExtensionValue(
                Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign)));
    return new CertificateAuthority(sign(name, keys, name, keys, now, OWN_LIFE, extensions));
  }

  /** A certificate for a server that is reached under these names and addresses. */
  public Credential issueServer(List<String> dnsNames, List<String> addresses, Instant now) {
    var names =
        Stream.concat(
                dnsNames.stream().map(name -> new GeneralName(GeneralName.dNSName, name)),
                addresses.stream().map(name -> new GeneralName(GeneralName.iPAddress, name)))
            .toArray(GeneralName[]::new);
    X500Name subject = new X500NameBuilder().addRDN(BCStyle.CN, "sluice").build();
    return issue(
        subject,
        ellipticKeys(),
        now,
        new ExtensionValue(
            Extension.extendedKeyUsage, false, purpose(KeyPurposeId.id_kp_serverAuth)),
        new ExtensionValue(Extension.subjectAlternativeName, false, new GeneralNames(names)));
  }

  /** A certificate that names a user and a group. */
  public Credential issueClient(String user, String group, Instant now) {
    X500Name subject =
        new X500NameBuilder().addRDN(BCStyle.O, group).addRDN(BCStyle.CN, user).build();
    return issue(
        subject,
        rsaKeys(),
        now,
        new ExtensionValue(
            Extension.extendedKeyUsage, false, purpose(KeyPurposeId.id_kp_clientAuth)));
  }

  /** Whether this authority issued a certificate. */
  public boolean issued(X509Certificate certificate) {
    try {
      X509Certificate own = credential.certificate();
      certificate.verify(own.getPublicKey());
      return certificate.getIssuerX500Principal().equals(own.getSubjectX500Principal());
    } catch (GeneralSecurityException foreign) {
      return false;
    }
  }

  private Credential issue(
      X500Name subject, KeyPair keys, Instant now, ExtensionValue... purposes) {
    X509Certificate own = credential.certificate();
    var extensions = new ArrayList<>(List.of(purposes));
    extensions.add(
        new ExtensionValue(Extension.basicConstraints, true, new BasicConstraints(false)));
    extensions.add(
        new ExtensionValue(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature)));
    var issuerKeys = new KeyPair(own.getPublicKey(), credential.key());
    X500Name issuer = X500Name.getInstance(own.getSubjectX500Principal().getEncoded());
    return sign(issuer, issuerKeys, subject, keys, now, ISSUED_LIFE, extensions);
  }

  private static Credential sign(
      X500Name issuer,
      KeyPair issuerKeys,
      X500Name subject,
      KeyPair subjectKeys,
      Instant now,
      Duration life,
      List<ExtensionValue> extensions) {
    try {
      var builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              new BigInteger(SERIAL_BITS, new SecureRandom()),
              Date.from(now.minus(CLOCK_SKEW)),
              Date.from(now.plus(life)),
              subject,
              subjectKeys.getPublic());
      for (ExtensionValue extension : extensions) {
        builder.addExtension(extension.type(), extension.critical(), extension.value());
      }
      var identifiers = new JcaX509ExtensionUtils();
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          identifiers.createAuthorityKeyIdentifier(issuerKeys.getPublic()));
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          identifiers.createSubjectKeyIdentifier(subjectKeys.getPublic()));
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(issuerKeys.getPrivate());
      X509Certificate certificate =
          new JcaX509CertificateConverter().getCertificate(builder.build(signer));
      return new Credential(certificate, subjectKeys.getPrivate());
    } catch (GeneralSecurityException | OperatorCreationException impossible) {
      throw new IllegalStateException("this Java cannot sign with ECDSA on P-256", impossible);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static ExtendedKeyUsage purpose(KeyPurposeId purpose) {
    return new ExtendedKeyUsage(purpose);
  }

  private static KeyPair ellipticKeys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("this Java cannot make keys on the curve P-256", impossible);
    }
  }

  private static KeyPair rsaKeys() {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(RSA_BITS);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("this Java cannot make RSA keys", impossible);
    }
  }
}
