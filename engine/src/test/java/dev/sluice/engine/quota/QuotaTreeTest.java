package dev.sluice.engine.quota;

import static dev.sluice.model.Amounts.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.model.Quantity;
import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class QuotaTreeTest {
  private static final FlavorResource GPU = new FlavorResource("a100", "nvidia.com/gpu");
  private static final OptionalLong ANY = OptionalLong.empty();

  /** The numbers of docs/specification/quota.md#example-lending. */
  @Test
  void unlentQuotaIsUsedFirstAndHiddenFromOthers() {
    QuotaTree tree =
        QuotaTree.of(
            List.of(node("a", "r", 10, ANY, OptionalLong.of(4)), node("b", "r", 5)), List.of());
    QuotaNode a = queue(tree, "a");
    QuotaNode b = queue(tree, "b");
    QuotaNode r = a.root();

    assertThat(a.localQuota(GPU)).isEqualTo(6);
    assertThat(r.subtreeQuota(GPU)).isEqualTo(9);
    assertThat(a.potentialAvailable(GPU)).isEqualTo(15);
    assertThat(b.potentialAvailable(GPU)).isEqualTo(9);

    a.add(usage(8));
    assertThat(List.of(r.usage(GPU), a.available(GPU), b.available(GPU)))
        .containsExactly(2L, 7L, 7L);

    b.add(usage(7));
    assertThat(List.of(r.usage(GPU), a.available(GPU), b.available(GPU)))
        .containsExactly(9L, 0L, 0L);
    assertThat(b.borrows(GPU)).isTrue();

    a.remove(usage(3));
    assertThat(List.of(r.usage(GPU), a.usage(GPU), a.available(GPU), b.available(GPU)))
        .containsExactly(7L, 5L, 3L, 2L);
  }

  /**
   * What the parent already stores counts against the limit:
   * docs/specification/quota.md#example-borrowing-limit.
   */
  @Test
  void aBorrowingLimitCountsWhatIsBorrowedAlready() {
    QuotaTree tree =
        QuotaTree.of(
            List.of(
                node("a", "r", 10, ANY, OptionalLong.of(4)),
                node("b", "r", 5, OptionalLong.of(2), ANY)),
            List.of());
    queue(tree, "b").add(usage(5));
    queue(tree, "a").add(usage(8));

    assertThat(queue(tree, "b").potentialAvailable(GPU)).isEqualTo(7);
    assertThat(queue(tree, "b").root().usage(GPU)).isEqualTo(7);
    assertThat(queue(tree, "b").available(GPU)).isEqualTo(2);
  }

  /**
   * Only a ClusterQueue is never below zero:
   * docs/specification/quota.md#example-quota-that-was-cut.
   */
  @Test
  void aCohortWhoseQuotaWasCutOwesWhatItsQueuesUse() {
    QuotaTree tree =
        QuotaTree.of(
            List.of(node("a", "r", 0), node("b", "r", 2, ANY, OptionalLong.of(0))),
            List.of(node("r", "", 1)));
    QuotaNode b = queue(tree, "b");

    queue(tree, "a").add(usage(2));
    assertThat(List.of(b.root().available(GPU), b.available(GPU))).containsExactly(-1L, 1L);

    queue(tree, "a").add(usage(2));
    assertThat(List.of(b.root().available(GPU), b.available(GPU))).containsExactly(-3L, 0L);
  }

  /** The numbers of docs/specification/quota.md#example-borrowing-level. */
  @Test
  void anAmountReachesAsFarUpAsItMust() {
    QuotaTree tree =
        QuotaTree.of(List.of(node("q", "c", 3)), List.of(node("r", "", 4), node("c", "r", 0)));
    QuotaNode queue = queue(tree, "q");

    assertThat(queue.reach(GPU, 3)).isEqualTo(new QuotaNode.Reach(0, true));
    assertThat(queue.reach(GPU, 5)).isEqualTo(new QuotaNode.Reach(2, false));
  }

  /** The numbers of docs/specification/fair-sharing.md#example-shares. */
  @Test
  void sharesAreWhatIsBorrowedOfWhatThereIsByWeight() {
    assertThat(shareOf(1).rounded()).isEqualTo(200);
    assertThat(shareOf(2).rounded()).isEqualTo(100);
    assertThat(shareOf(0).infinite()).isTrue();
    assertThat(shareOf(0).rounded()).isEqualTo(Long.MAX_VALUE);
    assertThat(List.of(shareOf(2), shareOf(1), shareOf(0))).isSorted();
  }

  /**
   * A weight of zero makes a share infinite only while the queue borrows:
   * docs/specification/fair-sharing.md#weight-zero.
   */
  @Test
  void queueWithoutWeightThatBorrowsNothingHasNoShare() {
    assertThat(shareOf(0, 6)).isEqualTo(Share.ZERO);
    assertThat(shareOf(0, 7).infinite()).isTrue();
  }

  private static Share shareOf(long weight) {
    return shareOf(weight, 8);
  }

  private static Share shareOf(long weight, long used) {
    var a = new QuotaSpec("a", "r", Quantity.of(weight), node("a", "r", 6).quotas());
    QuotaTree tree = QuotaTree.of(List.of(a, node("b", "r", 4)), List.of());
    queue(tree, "a").add(usage(used));
    queue(tree, "b").add(usage(2));
    assertThat(queue(tree, "b").share()).isEqualTo(Share.ZERO);
    return queue(tree, "a").share();
  }

  @Test
  void cohortsInACircleLeaveTheirQueuesAdriftAndOthersAlone() {
    QuotaTree tree =
        QuotaTree.of(
            List.of(node("lost", "x", 3), node("below", "z", 3), node("well", "w", 3)),
            List.of(node("x", "y", 1), node("y", "x", 1), node("z", "x", 1), node("w", "", 1)));

    assertThat(tree.isAdrift("lost")).isTrue();
    assertThat(tree.isAdrift("below")).isTrue();
    assertThat(tree.isAdrift("well")).isFalse();
    assertThat(queue(tree, "well").available(GPU)).isEqualTo(4);
  }

  @Test
  void cohortsStandByNameWhateverIsBelowThem() {
    QuotaTree tree =
        QuotaTree.of(
            List.of(node("q", "a", 1)),
            List.of(node("a", "y", 1), node("x", "r", 1), node("y", "r", 1), node("r", "", 1)));

    assertThat(queue(tree, "q").root().cohorts())
        .extracting(QuotaNode::name)
        .containsExactly("x", "y");
  }

  @Test
  void quotaWithoutLimitIsCountedAsFarAsNumbersGo() {
    QuotaTree tree = QuotaTree.of(List.of(node("a", "r", UNLIMITED)), List.of());
    QuotaNode a = queue(tree, "a");

    a.add(usage(Long.MAX_VALUE / 2));
    a.add(usage(a.available(GPU)));
    assertThat(a.available(GPU)).isZero();

    a.remove(usage(Long.MAX_VALUE / 2));
    assertThat(a.available(GPU)).isEqualTo(Long.MAX_VALUE / 2);
  }

  static LongStream seeds() {
    return Seeds.first(200);
  }

  /** A root with a cohort and a queue below it, and two queues below the cohort. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void addedUsageIsCountedAndRemovedExactlyHoweverLarge(long seed) {
    var random = new SplittableRandom(seed);
    QuotaTree tree =
        QuotaTree.of(
            List.of(huge(random, "a", "c"), huge(random, "b", "c"), huge(random, "d", "r")),
            List.of(huge(random, "c", "r"), huge(random, "r", "")));
    var added = new TreeMap<String, List<Long>>();

    for (int step = 0; step < 40; step++) {
      String name = List.of("a", "b", "d").get(random.nextInt(3));
      List<Long> amounts = added.computeIfAbsent(name, _ -> new ArrayList<>());
      if (random.nextInt(5) < 3) {
        amounts.add(huge(random));
        queue(tree, name).add(usage(amounts.getLast()));
      } else if (!amounts.isEmpty()) {
        queue(tree, name).remove(usage(amounts.remove(random.nextInt(amounts.size()))));
      }
      tree.queues().forEach(one -> isSumOf(one, added.getOrDefault(one.name(), List.of())));
      tree.cohorts().forEach(QuotaTreeTest::isSumOfWhatIsNotKeptBelow);
    }
  }

  private static void isSumOf(QuotaNode queue, List<Long> amounts) {
    BigInteger sum =
        amounts.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
    assertThat(queue.exactUsage(GPU)).isEqualTo(sum);
    assertThat(queue.usage(GPU)).isEqualTo(sum.min(BigInteger.valueOf(UNLIMITED)).longValue());
  }

  private static void isSumOfWhatIsNotKeptBelow(QuotaNode cohort) {
    BigInteger sum =
        Stream.concat(cohort.queues().stream(), cohort.cohorts().stream())
            .filter(child -> child.localQuota(GPU) < UNLIMITED)
            .map(child -> child.exactUsage(GPU).subtract(BigInteger.valueOf(child.localQuota(GPU))))
            .reduce(BigInteger.ZERO, (one, other) -> one.add(other.max(BigInteger.ZERO)));
    assertThat(cohort.exactUsage(GPU)).isEqualTo(sum);
  }

  private static QuotaSpec huge(SplittableRandom random, String name, String parent) {
    OptionalLong lending = random.nextBoolean() ? ANY : OptionalLong.of(huge(random));
    return node(name, parent, huge(random), ANY, parent.isEmpty() ? ANY : lending);
  }

  private static long huge(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> UNLIMITED - random.nextInt(3);
      case 1 -> UNLIMITED / 2 + random.nextInt(3);
      case 2 -> random.nextLong(UNLIMITED);
      default -> random.nextInt(9);
    };
  }

  private static QuotaNode queue(QuotaTree tree, String name) {
    return tree.queue(name).orElseThrow();
  }

  private static Usage usage(long amount) {
    var amounts = new TreeMap<FlavorResource, Long>();
    amounts.put(GPU, amount);
    return new Usage(amounts);
  }

  private static QuotaSpec node(String name, String parent, long nominal) {
    return node(name, parent, nominal, ANY, ANY);
  }

  private static QuotaSpec node(
      String name, String parent, long nominal, OptionalLong borrowing, OptionalLong lending) {
    var quotas = new TreeMap<FlavorResource, Quota>();
    quotas.put(GPU, new Quota(nominal, borrowing, lending));
    return new QuotaSpec(name, parent, Quantity.of(1), quotas);
  }
}
