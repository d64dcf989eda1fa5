package dev.sluice.engine.admission.pending;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Groups of one priority, by an amount that each of them needs.
 *
 * <p>Goal: among those who need no more than there is, find the first in line, however many others
 * there are. Constraint: what costs is looking at memory that nobody has looked at for long.
 * Method: they stand on shelves, by amount; each shelf knows its first in line, and is looked
 * through only if some of its groups need too much. Who was found stays known: it is the first for
 * any lower limit too, as long as that is enough for it.
 *
 * <p>A group must be taken out before its place in the line changes.
 */
final class AmountIndex {
  private final List<GroupsByAmount> shelves = new ArrayList<>();
  private @Nullable EquivalenceGroup known;
  private long knownAmount;
  private long knownLimit;

  boolean isEmpty() {
    return shelves.isEmpty();
  }

  /** The smallest amount that anybody needs. */
  long least() {
    return shelves.isEmpty() ? Long.MAX_VALUE : shelves.getFirst().least();
  }

  void add(long amount, EquivalenceGroup group) {
    if (shelves.isEmpty()) {
      shelves.add(new GroupsByAmount());
    }
    int place = shelfOf(amount, group);
    if (shelves.get(place).isFull()) {
      shelves.add(place + 1, shelves.get(place).split());
      place = shelfOf(amount, group);
    }
    shelves.get(place).add(amount, group);
    if (known != null && amount <= knownLimit && group.compareTo(known) < 0) {
      known = group;
      knownAmount = amount;
    }
  }

  void remove(long amount, EquivalenceGroup group) {
    int place = shelfOf(amount, group);
    shelves.get(place).remove(amount, group);
    if (shelves.get(place).isEmpty()) {
      shelves.remove(place);
    }
    known = known == group ? null : known;
  }

  /** The first in line for any amount there may be. */
  AmountFrontier stairs() {
    var stairs = new AmountFrontier();
    for (GroupsByAmount shelf : shelves) {
      shelf.climb(stairs);
    }
    return stairs;
  }

  /** The first in line of those who need no more than an amount. */
  @Nullable EquivalenceGroup first(long most) {
    if (known == null || most < knownAmount || most > knownLimit) {
      find(most);
    }
    return known;
  }

  private void find(long most) {
    known = null;
    knownLimit = most;
    for (GroupsByAmount shelf : shelves) {
      if (shelf.least() > most) {
        break;
      }
      int place = shelf.first(most);
      EquivalenceGroup group = shelf.group(place);
      if (known == null || group.compareTo(known) < 0) {
        known = group;
        knownAmount = shelf.amount(place);
      }
    }
  }

  /** The last shelf that does not begin behind a group. */
  private int shelfOf(long amount, EquivalenceGroup group) {
    int low = 0;
    int high = shelves.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (shelves.get(middle).isBehind(amount, group)) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return low;
  }
}
