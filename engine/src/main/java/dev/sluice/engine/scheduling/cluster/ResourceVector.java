package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.Amounts;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a pod takes of a node, of each resource more than nothing. */
public final class ResourceVector {
  private final int[] resources;
  private final long[] amounts;

  private ResourceVector(int[] resources, long[] amounts) {
    this.resources = resources;
    this.amounts = amounts;
  }

  static ResourceVector of(Amounts requests, ResourceIndex numbers) {
    var asked =
        requests.byResource().entrySet().stream().filter(one -> one.getValue() > 0).toList();
    int[] resources = new int[asked.size()];
    long[] amounts = new long[asked.size()];
    for (int i = 0; i < resources.length; i++) {
      resources[i] = numbers.number(asked.get(i).getKey());
      amounts[i] = asked.get(i).getValue();
    }
    return new ResourceVector(resources, amounts);
  }

  /** The same apart from some resources. */
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
