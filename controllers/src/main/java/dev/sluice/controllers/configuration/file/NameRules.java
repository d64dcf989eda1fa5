package dev.sluice.controllers.configuration.file;

import dev.sluice.model.NameSyntax;

/** The syntax of names in Kubernetes. */
public final class NameRules {
  private static final int MAX_PART = 63;

  private NameRules() {}

  /** A namespace's name that does not start with a digit. */
  public static boolean isService(String name) {
    return isNamespace(name) && name.charAt(0) > '9';
  }

  public static boolean isNamespace(String name) {
    return NameSyntax.labelProblem(name).isEmpty();
  }

  /** Whether a name is a DNS subdomain, like the names of most objects. */
  public static boolean isSubdomain(String name) {
    return NameSyntax.subdomainProblem(name).isEmpty() && hasShortParts(name);
  }

  /** Whether a name is qualified, like the keys of labels: {@code name} or {@code domain/name}. */
  public static boolean isQualified(String name) {
    int slash = name.indexOf('/');
    return NameSyntax.qualifiedNameProblem(name).isEmpty()
        && (slash < 0 || hasShortParts(name.substring(0, slash)));
  }

  public static boolean isLabelValue(String value) {
    return NameSyntax.labelValueProblem(value).isEmpty();
  }

  private static boolean hasShortParts(String domain) {
    for (String part : domain.split("\\.", -1)) {
      if (part.length() > MAX_PART) {
        return false;
      }
    }
    return true;
  }
}
