package dev.sluice.store;

import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import java.util.Comparator;

/**
 * What makes two kinds the same to the store: objects are shared by all versions of a kind, and
 * events by the two groups that serve them.
 */
record KindName(String group, String plural) implements Comparable<KindName> {
  private static final Comparator<KindName> ORDER =
      Comparator.comparing(KindName::group).thenComparing(KindName::plural);

  static KindName of(ResourceKind kind) {
    return kind.equals(Kinds.GROUPED_EVENT)
        ? of(Kinds.EVENT)
        : new KindName(kind.group(), kind.plural());
  }

  @Override
  public int compareTo(KindName other) {
    return ORDER.compare(this, other);
  }
}
