package dev.sluice.kubernetes.serving;

import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;

/**
 * The TLS versions and cipher suites that callers must use.
 *
 * @param newestOnly whether nothing older than TLS 1.3 is spoken, else nothing older than 1.2
 * @param cipherSuites those of TLS 1.2 that may be used, as Java or Go names them; none means
 *     Java's own choice. The suites of TLS 1.3 may always be used.
 */
public record TlsPolicy(boolean newestOnly, List<String> cipherSuites) {
  /** What Java finds secure. */
  public static final TlsPolicy NORMAL = new TlsPolicy(false, List.of());

  private static final List<String> NEWEST_SUITES =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  /** Go has two names for some of them, and Java knows the longer one. */
  private static final String SHORT_NAME = "(TLS_ECDHE_(RSA|ECDSA)_WITH_CHACHA20_POLY1305)";

  /**
   * @throws IllegalArgumentException if Java does not have a suite, since leaving it out could
   *     leave callers without any
   */
  public TlsPolicy {
    cipherSuites =
        cipherSuites.stream().map(name -> name.replaceAll(SHORT_NAME + "$", "$1_SHA256")).toList();
    Set<String> known = known();
    for (String name : cipherSuites) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "tls.cipherSuites: this Java does not have \"%s\"; it has %s"
                .formatted(name, String.join(", ", known)));
      }
    }
  }

  private static Set<String> known() {
    try {
      var known = new TreeSet<String>();
      for (String name : SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites()) {
        if (name.startsWith("TLS_") && !name.contains("EMPTY")) {
          known.add(name);
        }
      }
      return known;
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has TLS", impossible);
    }
  }

  String[] protocols() {
    return newestOnly ? new String[] {"TLSv1.3"} : new String[] {"TLSv1.3", "TLSv1.2"};
  }

  /** All suites that may be used; none means Java's own choice. */
  String[] suites() {
    if (cipherSuites.isEmpty()) {
      return new String[0];
    }
    var suites = new ArrayList<>(NEWEST_SUITES);
    suites.addAll(cipherSuites);
    return suites.toArray(String[]::new);
  }
}
