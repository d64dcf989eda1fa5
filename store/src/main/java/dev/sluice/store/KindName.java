package dev.sluice.store;

import dev.sluice.model.ResourceKind;
import java.util.Comparator;

/** What makes two kinds the same to the store: objects are shared by all versions of a kind. */
record KindName(String group, String plural) implements Comparable<KindName> {
  private static final Comparator<KindName> ORDER =
      Comparator.comparing(KindName::group).thenComparing(KindName::plural);

  static KindName of(ResourceKind kind) {
    return new KindName(kind.group(), kind.plural());
  }

  @Override
  public int compareTo(KindName other) {
    return ORDER.compare(this, other);
  }
}
