package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.Amounts;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The resource requests of a pod; each amount is above zero. */
public final class ResourceVector {
  private final int[] resources;
  private final long[] amounts;

  private ResourceVector(int[] resources, long[] amounts) {
    this.resources = resources;
    this.amounts = amounts;
  }

  static ResourceVector of(Amounts requests, ResourceIndex numbers) {
    var positive =
        requests.byResource().entrySet().stream()
            .filter(request -> request.getValue() > 0)
            .toList();
    int[] resources = new int[positive.size()];
    long[] amounts = new long[positive.size()];
    for (int i = 0; i < resources.length; i++) {
      resources[i] = numbers.number(positive.get(i).getKey());
      amounts[i] = positive.get(i).getValue();
    }
    return new ResourceVector(resources, amounts);
  }

  /** The same without some resources. */
  public ResourceVector without(IntPredicate some) {
    int[] kept =
        IntStream.range(0, resources.length).filter(i -> !some.test(resources[i])).toArray();
    return new ResourceVector(
        IntStream.of(kept).map(i -> resources[i]).toArray(),
        IntStream.of(kept).mapToLong(i -> amounts[i]).toArray());
  }

  public int size() {
    return resources.length;
  }

  public int resource(int index) {
    return resources[index];
  }

  public long amount(int index) {
    return amounts[index];
  }

  public long of(int resource) {
    for (int i = 0; i < resources.length; i++) {
      if (resources[i] == resource) {
        return amounts[i];
      }
    }
    return 0;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ResourceVector demand
        && Arrays.equals(resources, demand.resources)
        && Arrays.equals(amounts, demand.amounts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(resources) + Arrays.hashCode(amounts);
  }
}
