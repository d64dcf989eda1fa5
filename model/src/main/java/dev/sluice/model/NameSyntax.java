package dev.sluice.model;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The syntax of names, keys and values. Every method returns the problem, empty if there is none.
 */
public final class NameSyntax {
  private static final int MAX_LABEL = 63;
  private static final int MAX_SUBDOMAIN = 253;
  private static final int MAX_PORT_NAME = 15;
  private static final long MAX_PORT = 65_535;
  private static final Pattern CONFIG_KEY = Pattern.compile("[-._a-zA-Z0-9]+");
  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+");

  private NameSyntax() {}

  /** Validates a DNS label, such as the name of a namespace or a container. */
  public static String labelProblem(String name) {
    if (name.length() > MAX_LABEL) {
      return tooLong(MAX_LABEL);
    }
    return isLabel(name, 0, name.length())
        ? ""
        : "must be a DNS label: lower-case letters, digits and '-', with a letter or digit at both"
            + " ends";
  }

  /** Validates a DNS subdomain, such as the names of most objects. */
  public static String subdomainProblem(String name) {
    if (name.length() > MAX_SUBDOMAIN) {
      return tooLong(MAX_SUBDOMAIN);
    }
    return isSubdomain(name)
        ? ""
        : "must be a DNS subdomain: lower-case letters, digits, '-' and '.', with a letter or digit"
            + " at both ends of every part";
  }

  /** Validates a qualified name, such as the key of a label. */
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
    return isNamePart(name)
        ? ""
        : "the name part must consist of letters, digits, '-', '_' and '.', with a letter or digit"
            + " at both ends";
  }

  public static String labelValueProblem(String value) {
    if (value.length() > MAX_LABEL) {
      return tooLong(MAX_LABEL);
    }
    return value.isEmpty() || isNamePart(value)
        ? ""
        : "a label's value must be empty or consist of letters, digits, '-', '_' and '.', with a"
            + " letter or digit at both ends";
  }

  /** Validates the key of an annotation, whose prefix may have capitals, unlike that of a label. */
  public static String annotationKeyProblem(String key) {
    return qualifiedNameProblem(key.toLowerCase(Locale.ROOT));
  }

  /** Validates a key of a ConfigMap or Secret. */
  public static String configKeyProblem(String key) {
    if (key.length() > MAX_SUBDOMAIN) {
      return tooLong(MAX_SUBDOMAIN);
    }
    return CONFIG_KEY.matcher(key).matches() && !key.equals(".") && !key.startsWith("..")
        ? ""
        : "a key must consist of letters, digits, '-', '_' and '.', and must not be '.' or begin"
            + " with '..'";
  }

  /** Validates the name of an environment variable. */
  public static String variableProblem(String name) {
    return name.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '=')
        ? ""
        : "must consist of printable ASCII characters other than '='";
  }

  /** Validates the name of a port, such as {@code http}. */
  public static String portNameProblem(String name) {
    boolean fits =
        name.length() <= MAX_PORT_NAME
            && isLabel(name, 0, name.length())
            && !name.contains("--")
            && name.chars().anyMatch(c -> isLowerCase((char) c));
    return fits
        ? ""
        : "must be at most 15 lower-case letters, digits and single '-', with a letter among them"
            + " and a letter or digit at both ends";
  }

  public static String portProblem(long number) {
    return number >= 1 && number <= MAX_PORT ? "" : "must be between 1 and 65535, inclusive";
  }

  /** Validates a domain-prefixed path, such as {@code acme.io/foo}. */
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

  // Called for every name, label and annotation of every write: patterns would cost too much.

  private static boolean isSubdomain(String name) {
    int start = 0;
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', start)) {
      if (!isLabel(name, start, dot)) {
        return false;
      }
      start = dot + 1;
    }
    return isLabel(name, start, name.length());
  }

  private static boolean isLabel(String name, int start, int end) {
    if (start >= end || name.charAt(start) == '-' || name.charAt(end - 1) == '-') {
      return false;
    }
    for (int i = start; i < end; i++) {
      if (!isLowerCase(name.charAt(i)) && !isDigit(name.charAt(i)) && name.charAt(i) != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isNamePart(String name) {
    if (name.isEmpty()
        || !isLetterOrDigit(name.charAt(0))
        || !isLetterOrDigit(name.charAt(name.length() - 1))) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (!isLetterOrDigit(name.charAt(i)) && "-_.".indexOf(name.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetterOrDigit(char c) {
    return isLowerCase(c) || isDigit(c) || (c >= 'A' && c <= 'Z');
  }

  private static boolean isLowerCase(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static String tooLong(int most) {
    return "must be no more than %d characters".formatted(most);
  }
}
