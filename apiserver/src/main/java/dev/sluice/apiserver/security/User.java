package dev.sluice.apiserver.security;

import java.util.List;

/** The user of a request. */
public record User(String name, List<String> groups) {
  /** The group whose members may do everything. */
  public static final String MASTERS = "system:masters";

  public static final String AUTHENTICATED = "system:authenticated";

  /** The user of requests without a credential. */
  public static final User ANONYMOUS =
      new User("system:anonymous", List.of("system:unauthenticated"));

  public User {
    groups = List.copyOf(groups);
  }

  public boolean isIn(String group) {
    return groups.contains(group);
  }
}
