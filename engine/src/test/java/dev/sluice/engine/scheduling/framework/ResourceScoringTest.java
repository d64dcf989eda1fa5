package dev.sluice.engine.scheduling.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.SchedulingScene;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.framework.ResourceScoring.ResourceWeight;
import dev.sluice.engine.scheduling.framework.ResourceScoring.ShapePoint;
import dev.sluice.engine.scheduling.framework.ResourceScoring.Strategy;
import dev.sluice.engine.scheduling.plugins.BalanceScore;
import dev.sluice.engine.scheduling.plugins.FitScore;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What the strategies of NodeResourcesFit and NodeResourcesBalancedAllocation come to. */
class ResourceScoringTest {
  private static final String NODE = "cpu: 4, memory: 8Gi";

  /** What is on the node, and what the pod asks for: 3 of 4 cpus, and 2 of 8 GiB in the end. */
  private static final String USED = "cpu: 2, memory: 1Gi";

  private static final String POD = "cpu: 1, memory: 1Gi";

  private static final String RATIO_UP = "0:0 100:10";
  private static final String CPU_THRICE = "cpu:3 memory:1";

  /** Points and weights are written as {@code a:1 b:2}. */
  record Case(
      String name,
      Strategy strategy,
      String weights,
      String shape,
      String node,
      String used,
      String pod,
      long want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case least(String name, String weights, String node, String pod, long want) {
    return new Case(name, Strategy.LEAST_ALLOCATED, weights, "", node, USED, pod, want);
  }

  private static Case most(String name, String weights, String node, String pod, long want) {
    return new Case(name, Strategy.MOST_ALLOCATED, weights, "", node, USED, pod, want);
  }

  private static Case ratio(String name, String weights, String shape, long want) {
    return new Case(
        name, Strategy.REQUESTED_TO_CAPACITY_RATIO, weights, shape, NODE, USED, POD, want);
  }

  static final List<Case> CASES =
      List.of(
          // 25 and 75 are left
          least("what is left", "cpu:1 memory:1", NODE, POD, 50),
          least("what is left, cpu counts thrice", CPU_THRICE, NODE, POD, (3 * 25 + 75) / 4),
          least("only memory counts", "memory:1", NODE, POD, 75),
          least("more than there is", "cpu:1", "cpu: 2, memory: 8Gi", POD, 0),
          most("what is taken", "cpu:1 memory:1", NODE, POD, 50),
          most("what is taken, cut off", CPU_THRICE, NODE, POD, 62),
          most("more than there is, taken", "cpu:1", "cpu: 2, memory: 8Gi", POD, 100),
          // 4 of 8 devices are 50; cpu 75
          most("devices", "x.io/gpu:5 cpu:1", NODE + ", x.io/gpu: 8", POD + ", x.io/gpu: 4", 54),
          most(
              "devices of others do not count",
              "x.io/gpu:5 cpu:1",
              NODE + ", x.io/gpu: 8",
              POD,
              75),
          most("devices that are not there", "x.io/gpu:5 cpu:1", NODE, POD + ", x.io/gpu: 4", 75),
          most("nothing that counts", "x.io/gpu:5", NODE, POD, 0),
          // (3*75 + 25) / 4 = 62.5
          ratio("ratios are rounded", CPU_THRICE, RATIO_UP, 63),
          ratio("the fuller the worse", "cpu:1 memory:1", "0:10 100:0", 50),
          // cpu: from 50 to 100 it goes up from 0 to 100, so 75 is 50; memory is worth nothing
          ratio("what is worth nothing does not count", "cpu:1 memory:1", "0:0 50:0 100:10", 50),
          ratio("nothing is worth anything", "cpu:1 memory:1", "0:0", 0),
          ratio("level beyond both ends", "cpu:1 memory:1", "40:2 60:8", (20 + 80) / 2),
          // 100 - 100*75/80 = 100 - 93 (cut off)
          ratio("slopes are cut off", "cpu:1", "0:10 80:0", 7));

  @ParameterizedTest
  @FieldSource("CASES")
  void fits(Case c) {
    var scene = new SchedulingScene().node("n", c.node());
    scene.on("n", scene.pod("old", c.used()));
    var scoring =
        new ResourceScoring(
            c.strategy(),
            pairs(c.weights()).map(one -> new ResourceWeight(one[0], number(one[1]))).toList(),
            pairs(c.shape()).map(one -> new ShapePoint(number(one[0]), number(one[1]))).toList());

    var score = new FitScore(scoring, scene.state.resources());

    assertThat(score.of(scene.pod("new", c.pod()).signature(), scene.state("n")))
        .isEqualTo(c.want());
  }

  private static Stream<String[]> pairs(String text) {
    return text.isEmpty()
        ? Stream.empty()
        : Stream.of(text.split(" ", -1)).map(pair -> pair.split(":", -1));
  }

  private static int number(String text) {
    return Integer.parseInt(text);
  }

  @Test
  void storageOfTheNodeCountsWhoeverAsksForIt() {
    var scene = new SchedulingScene().node("n", "cpu: 4, ephemeral-storage: 10Gi");
    scene.on("n", scene.pod("old", "ephemeral-storage: 4Gi"));
    var scoring =
        new ResourceScoring(
            Strategy.MOST_ALLOCATED,
            List.of(new ResourceWeight("ephemeral-storage", 1)),
            List.of());

    var score = new FitScore(scoring, scene.state.resources());

    assertThat(score.of(scene.pod("new", "cpu: 1").signature(), scene.state("n"))).isEqualTo(40);
  }

  @Test
  void threeResourcesAreBalancedByTheirDeviation() {
    var scene = new SchedulingScene().node("n", NODE + ", x.io/gpu: 8");
    var score = new BalanceScore(List.of("cpu", "memory", "x.io/gpu"), scene.state.resources());

    // shares 1/2, 1/4 and 3/4: the deviation is 0.2041, so 79 with the pod and 100 without
    PodSignature uneven = scene.pod("a", "cpu: 2, memory: 2Gi, x.io/gpu: 6").signature();
    assertThat(score.of(uneven, scene.state("n"))).isEqualTo(50 + (50 + 79 - 100) / 2);
    // devices that it does not ask for are left out
    PodSignature even = scene.pod("b", "cpu: 2, memory: 4Gi").signature();
    assertThat(score.of(even, scene.state("n"))).isEqualTo(75);
    assertThat(score.of(scene.pod("c", "").signature(), scene.state("n"))).isZero();
  }

  @Test
  void fiftyNodesScoreAsTheFormulaSays() {
    long seed = Long.getLong("seed", 7);
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 50; i++) {
      int[] offered = {random.nextInt(1, 64), random.nextInt(1, 256), random.nextInt(1, 16)};
      int[] asked = new int[3];
      for (int r = 0; r < 3; r++) {
        asked[r] = random.nextInt(1, offered[r] + 1);
      }
      String what = "seed %d, case %d".formatted(seed, i);
      var scene = new SchedulingScene().node("n", amounts(offered));
      PodSignature pod = scene.pod("p", amounts(asked)).signature();

      var names = List.of("cpu", "memory", "x.io/gpu");
      var balance = new BalanceScore(names, scene.state.resources());
      var weights = names.stream().map(name -> new ResourceWeight(name, 1)).toList();
      var least = new ResourceScoring(Strategy.LEAST_ALLOCATED, weights, List.of());

      assertThat(balance.of(pod, scene.state("n")))
          .as(what)
          .isEqualTo(50 + (50 + balance(offered, asked) - 100) / 2);
      assertThat(new FitScore(least, scene.state.resources()).of(pod, scene.state("n")))
          .as(what)
          .isEqualTo(left(offered, asked));
    }
  }

  private static String amounts(int[] of) {
    return "cpu: %d, memory: %dGi, x.io/gpu: %d".formatted(of[0], of[1], of[2]);
  }

  private static long left(int[] offered, int[] asked) {
    long sum = 0;
    for (int r = 0; r < offered.length; r++) {
      sum += 100L * (offered[r] - asked[r]) / offered[r];
    }
    return sum / offered.length;
  }

  /** The formula as it is written, in decimals so long that only what is cut off matters. */
  private static long balance(int[] offered, int[] asked) {
    var precise = new MathContext(60);
    var shares = new ArrayList<BigDecimal>();
    BigDecimal mean = BigDecimal.ZERO;
    for (int r = 0; r < offered.length; r++) {
      var share = new BigDecimal(asked[r]).divide(new BigDecimal(offered[r]), precise);
      shares.add(share);
      mean = mean.add(share);
    }
    mean = mean.divide(new BigDecimal(offered.length), precise);
    BigDecimal squares = BigDecimal.ZERO;
    for (BigDecimal share : shares) {
      squares = squares.add(share.subtract(mean).pow(2));
    }
    BigDecimal deviation = squares.divide(new BigDecimal(offered.length), precise).sqrt(precise);
    return BigDecimal.ONE
        .subtract(deviation)
        .scaleByPowerOfTen(2)
        .add(new BigDecimal("1e-20"))
        .setScale(0, RoundingMode.FLOOR)
        .longValueExact();
  }
}
