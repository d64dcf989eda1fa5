package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.PemCertificates;
import dev.sluice.kubernetes.serving.WebServer.Asked;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Value;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;

/**
 * How an API server that passes requests on proves that it is one, and in which headers it says for
 * whom it asks. Every API server publishes this in a ConfigMap.
 *
 * @param authorities the issuers of API servers' certificates; no caller is believed if empty
 * @param names which of those certificates count; all if empty
 */
record FrontProxy(
    List<X509Certificate> authorities,
    List<String> names,
    List<String> userHeaders,
    List<String> groupHeaders,
    List<String> extraPrefixes) {
  static final ObjectKey PUBLISHED =
      Kinds.CONFIG_MAP.key("kube-system", "extension-apiserver-authentication");
  static final FrontProxy UNKNOWN =
      new FrontProxy(List.of(), List.of(), List.of(), List.of(), List.of());

  private static final String FOR_CLIENTS = "1.3.6.1.5.5.7.3.2";

  FrontProxy {
    authorities = List.copyOf(authorities);
    names = List.copyOf(names);
    userHeaders = List.copyOf(userHeaders);
    groupHeaders = List.copyOf(groupHeaders);
    extraPrefixes = List.copyOf(extraPrefixes);
  }

  /** Reads the ConfigMap; throws if it is damaged. */
  static FrontProxy read(ApiObject published) {
    String authorities = published.tree().text("data", "requestheader-client-ca-file");
    return authorities.isBlank()
        ? UNKNOWN
        : new FrontProxy(
            PemCertificates.parse(authorities),
            list(published, "requestheader-allowed-names"),
            list(published, "requestheader-username-headers"),
            list(published, "requestheader-group-headers"),
            list(published, "requestheader-extra-headers-prefix"));
  }

  private static List<String> list(ApiObject published, String name) {
    String json = published.tree().text("data", name);
    return !json.isBlank() && Json.parse(json) instanceof Items items
        ? items.values().stream()
            .filter(Value.Text.class::isInstance)
            .map(item -> ((Value.Text) item).value())
            .toList()
        : List.of();
  }

  /** Whether any caller can be believed. */
  boolean isKnown() {
    return !authorities.isEmpty();
  }

  /** The user of a request; empty if it does not come from an API server, or names no user. */
  Optional<Caller> caller(Asked asked, Instant now) {
    if (!isTrusted(asked.certificates(), now)) {
      return Optional.empty();
    }
    return userHeaders.stream()
        .flatMap(header -> asked.headers(header).stream())
        .filter(user -> !user.isEmpty())
        .findFirst()
        .map(user -> new Caller(user, groups(asked), extra(asked)));
  }

  private List<String> groups(Asked asked) {
    return groupHeaders.stream().flatMap(header -> asked.headers(header).stream()).toList();
  }

  private SortedMap<String, List<String>> extra(Asked asked) {
    var extra = new TreeMap<String, List<String>>();
    for (String prefix : extraPrefixes) {
      String start = prefix.toLowerCase(Locale.ROOT);
      for (String header : asked.headerNames()) {
        if (!start.isEmpty() && header.startsWith(start)) {
          extra.put(decoded(header.substring(start.length())), asked.headers(header));
        }
      }
    }
    return extra;
  }

  private static String decoded(String name) {
    try {
      return URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return name;
    }
  }

  private boolean isTrusted(List<X509Certificate> shown, Instant now) {
    return isKnown() && !shown.isEmpty() && isNamed(shown.getFirst()) && leadsHere(shown, now);
  }

  private boolean isNamed(X509Certificate certificate) {
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      boolean forClients = purposes == null || purposes.contains(FOR_CLIENTS);
      return forClients && (names.isEmpty() || names.contains(commonName(certificate)));
    } catch (CertificateParsingException | InvalidNameException malformed) {
      return false;
    }
  }

  private static String commonName(X509Certificate certificate) throws InvalidNameException {
    var subject = new LdapName(certificate.getSubjectX500Principal().getName());
    return subject.getRdns().stream()
        .filter(part -> part.getType().equalsIgnoreCase("CN"))
        .map(part -> String.valueOf(part.getValue()))
        .findFirst()
        .orElse("");
  }

  private boolean leadsHere(List<X509Certificate> shown, Instant now) {
    try {
      List<X509Certificate> below =
          shown.stream().filter(certificate -> !authorities.contains(certificate)).toList();
      if (below.isEmpty()) {
        return false; // an authority signs, it does not ask
      }
      var anchors = new LinkedHashSet<TrustAnchor>();
      authorities.forEach(authority -> anchors.add(new TrustAnchor(authority, null)));
      var rules = new PKIXParameters(anchors);
      rules.setRevocationEnabled(false);
      rules.setDate(Date.from(now));
      var path = CertificateFactory.getInstance("X.509").generateCertPath(below);
      CertPathValidator.getInstance("PKIX").validate(path, rules);
      return true;
    } catch (GeneralSecurityException foreign) {
      return false;
    }
  }
}
