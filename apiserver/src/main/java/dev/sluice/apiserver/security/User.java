package dev.sluice.apiserver.security;

import java.util.List;

/** Who makes a request. */
public record User(String name, List<String> groups) {
  /** Its members may do everything. */
  public static final String MASTERS = "system:masters";

  public static final String AUTHENTICATED = "system:authenticated";

  /** Whoever shows no credential at all. */
  public static final User ANONYMOUS =
      new User("system:anonymous", List.of("system:unauthenticated"));

  public User {
    groups = List.copyOf(groups);
  }

  public boolean isIn(String group) {
    return groups.contains(group);
  }
}
