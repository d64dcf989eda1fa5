package dev.sluice.apiserver.registry.admission;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.Service;
import dev.sluice.store.Snapshot;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The addresses of new Services, from 10.96.0.0/12 as in Kubernetes. The address follows from the
 * name, unless another Service has it: then it is the next free one.
 */
final class ClusterAddresses {
  private static final int FIRST = (10 << 24) | (96 << 16);
  private static final int COUNT = 1 << 20;

  /** The first and the last address of the range are not given to Services. */
  private static final int USABLE = COUNT - 2;

  private ClusterAddresses() {}

  /** The Service with an address, if it needs one and does not ask for one. */
  static ApiObject admitService(ApiObject object, Snapshot now) {
    var service = new Service(object);
    if (!service.wantsAddress()) {
      return object;
    }
    SortedSet<String> taken = new TreeSet<>();
    now.list(Kinds.SERVICE).forEach(other -> taken.add(other.spec().text("clusterIP")));
    int start = Math.floorMod(object.path().hashCode(), USABLE);
    for (int i = 0; i < USABLE; i++) {
      String address = address((start + i) % USABLE);
      if (!taken.contains(address)) {
        return service.withAddress(address).object();
      }
    }
    throw new IllegalStateException("a million Services have all addresses");
  }

  private static String address(int index) {
    int bits = FIRST + 1 + index;
    return "%d.%d.%d.%d"
        .formatted(bits >>> 24, (bits >>> 16) & 0xff, (bits >>> 8) & 0xff, bits & 0xff);
  }
}
