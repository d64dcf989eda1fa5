package dev.sluice.model;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * How names, keys and values may look. Every method says what is wrong, or nothing if all is well.
 */
public final class Syntax {
  private static final int MAX_LABEL = 63;
  private static final int MAX_SUBDOMAIN = 253;
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern NAME_PART =
      Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
  private static final Pattern CONFIG_KEY = Pattern.compile("[-._a-zA-Z0-9]+");
  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+");

  private Syntax() {}

  /** A DNS label, such as the name of a namespace or a container. */
  public static String labelProblem(String name) {
    if (name.length() > MAX_LABEL) {
      return tooLong(MAX_LABEL);
    }
    return LABEL.matcher(name).matches()
        ? ""
        : "must be a DNS label: lower-case letters, digits and '-', with a letter or digit at both"
            + " ends";
  }

  /** A DNS subdomain, such as the names of most objects. */
  public static String subdomainProblem(String name) {
    if (name.length() > MAX_SUBDOMAIN) {
      return tooLong(MAX_SUBDOMAIN);
    }
    return SUBDOMAIN.matcher(name).matches()
        ? ""
        : "must be a DNS subdomain: lower-case letters, digits, '-' and '.', with a letter or digit"
            + " at both ends of every part";
  }

  /** A name with or without a domain before it, such as the key of a label. */
  public static String qualifiedNameProblem(String key) {
    int slash = key.indexOf('/');
    String domain = slash < 0 ? "" : key.substring(0, slash);
    String name = key.substring(slash + 1);
    if (slash >= 0 && !subdomainProblem(domain).isEmpty()) {
      return "the part before '/' " + subdomainProblem(domain);
    }
    if (name.length() > MAX_LABEL) {
      return "the name part " + tooLong(MAX_LABEL);
    }
    return NAME_PART.matcher(name).matches()
        ? ""
        : "the name part must consist of letters, digits, '-', '_' and '.', with a letter or digit"
            + " at both ends";
  }

  public static String labelValueProblem(String value) {
    if (value.length() > MAX_LABEL) {
      return tooLong(MAX_LABEL);
    }
    return value.isEmpty() || NAME_PART.matcher(value).matches()
        ? ""
        : "a label's value must be empty or consist of letters, digits, '-', '_' and '.', with a"
            + " letter or digit at both ends";
  }

  /** The key of an annotation, whose domain may be in capitals, unlike that of a label. */
  public static String annotationKeyProblem(String key) {
    return qualifiedNameProblem(key.toLowerCase(Locale.ROOT));
  }

  /** A key of a ConfigMap or Secret. */
  public static String configKeyProblem(String key) {
    if (key.length() > MAX_SUBDOMAIN) {
      return tooLong(MAX_SUBDOMAIN);
    }
    return CONFIG_KEY.matcher(key).matches() && !key.equals(".") && !key.startsWith("..")
        ? ""
        : "a key must consist of letters, digits, '-', '_' and '.', and must not be '.' or begin"
            + " with '..'";
  }

  /** A path below a domain, such as {@code acme.io/foo}. */
  public static String domainPathProblem(String path) {
    int slash = path.indexOf('/');
    if (slash <= 0 || slash == path.length() - 1) {
      return "must be a path below a domain, such as \"acme.io/foo\"";
    }
    String domain = subdomainProblem(path.substring(0, slash));
    if (!domain.isEmpty()) {
      return "the part before the first '/' " + domain;
    }
    return PATH.matcher(path.substring(slash + 1)).matches()
        ? ""
        : "the part after the first '/' has characters that do not belong in a path";
  }

  private static String tooLong(int most) {
    return "must be no more than %d characters".formatted(most);
  }
}
