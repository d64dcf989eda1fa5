package dev.sluice.controllers.configuration.file;

import java.util.regex.Pattern;

/** The syntax of names in Kubernetes. */
public final class NameRules {
  private static final Pattern SERVICE = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern KEY =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final int MAX_LENGTH = 253;

  private NameRules() {}

  public static boolean isService(String name) {
    return SERVICE.matcher(name).matches();
  }

  public static boolean isNamespace(String name) {
    return LABEL.matcher(name).matches();
  }

  /** Whether a name is a DNS subdomain, like the names of most objects. */
  public static boolean isSubdomain(String name) {
    if (name.length() > MAX_LENGTH) {
      return false;
    }
    for (String label : name.split("\\.", -1)) {
      if (!LABEL.matcher(label).matches()) {
        return false;
      }
    }
    return true;
  }

  /** Whether a name is qualified, like the keys of labels: {@code name} or {@code domain/name}. */
  public static boolean isQualified(String name) {
    int slash = name.indexOf('/');
    return (slash < 0 || isSubdomain(name.substring(0, slash)))
        && KEY.matcher(name.substring(slash + 1)).matches();
  }

  public static boolean isLabelValue(String value) {
    return value.isEmpty() || KEY.matcher(value).matches();
  }
}
