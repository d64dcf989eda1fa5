package dev.sluice.engine.admission.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.admission.QueueSketch;
import dev.sluice.engine.admission.RandomQueues;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.engine.quota.QuotaTree;
import dev.sluice.engine.quota.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On random trees the engine's numbers are those of docs/specification/quota.md#definitions. */
class ReferenceQuotaTest {
  private static final int STEPS = 8;

  static LongStream seeds() {
    return Seeds.first(80);
  }

  /** Queues and cohorts that do not run in a circle. */
  record Trees(List<QueueSketch> queues, List<QueueSketch> cohorts) {

    static Trees random(RandomQueues sketches) {
      while (true) {
        var trees = new Trees(sketches.queues(), sketches.cohorts());
        QuotaTree tree = trees.tree();
        if (!trees.queues.isEmpty()
            && trees.queues.stream().noneMatch(queue -> tree.isAdrift(queue.name()))
            && tree.cohorts().size() == trees.reference().cohorts()) {
          return trees;
        }
      }
    }

    /** The same with no more queues than so many. */
    Trees first(int most) {
      return new Trees(queues.subList(0, Math.min(most, queues.size())), cohorts);
    }

    private List<QuotaSpec> specs(List<QueueSketch> sketches) {
      return sketches.stream().map(QueueSketch::quotaSpec).toList();
    }

    QuotaTree tree() {
      return QuotaTree.of(specs(queues), specs(cohorts));
    }

    ReferenceQuota reference() {
      return new ReferenceQuota(specs(queues), specs(cohorts));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void numbersOfTheTreeEqualThoseOfTheReference(long seed) {
    var random = new SplittableRandom(seed);
    Trees trees = Trees.random(new RandomQueues(random));
    QuotaTree tree = trees.tree();
    ReferenceQuota reference = trees.reference();
    var added = new ArrayList<Runnable>();

    for (int step = 0; step < STEPS; step++) {
      boolean remove = !added.isEmpty() && random.nextInt(3) == 0;
      if (remove) {
        added.remove(random.nextInt(added.size())).run();
      } else {
        String queue = trees.queues().get(random.nextInt(trees.queues().size())).name();
        FlavorResource flavorResource = fr(random.nextInt(2), random.nextInt(2));
        long amount = random.nextInt(6);
        change(tree, reference, queue, flavorResource, amount, true);
        added.add(() -> change(tree, reference, queue, flavorResource, amount, false));
      }
      assertThat(numbers(tree)).as("step %d", step).isEqualTo(numbers(reference));
    }
  }

  private static void change(
      QuotaTree tree,
      ReferenceQuota reference,
      String queue,
      FlavorResource flavorResource,
      long amount,
      boolean add) {
    var amounts = new TreeMap<FlavorResource, Long>();
    amounts.put(flavorResource, amount);
    QuotaNode node = tree.queue(queue).orElseThrow();
    if (add) {
      node.add(new Usage(amounts));
    } else {
      node.remove(new Usage(amounts));
    }
    reference.use(queue, flavorResource, add ? amount : -amount);
  }

  private static FlavorResource fr(int flavor, int resource) {
    return new FlavorResource(
        RandomQueues.FLAVORS.get(flavor), RandomQueues.RESOURCES.get(resource));
  }

  private static List<FlavorResource> all() {
    return List.of(fr(0, 0), fr(0, 1), fr(1, 0), fr(1, 1));
  }

  private static String line(String node, FlavorResource flavorResource, Object... numbers) {
    return node + " " + flavorResource + " " + List.of(numbers);
  }

  private static List<String> numbers(QuotaTree tree) {
    var lines = new ArrayList<String>();
    Stream.concat(tree.queues().stream(), tree.cohorts().stream())
        .forEach(node -> {
          String name = (node.isQueue() ? "queue " : "cohort ") + node.name();
          for (FlavorResource flavorResource : all()) {
            lines.add(
                line(
                    name,
                    flavorResource,
                    node.subtreeQuota(flavorResource),
                    node.localQuota(flavorResource),
                    node.usage(flavorResource),
                    node.localAvailable(flavorResource),
                    node.available(flavorResource),
                    node.potentialAvailable(flavorResource),
                    node.borrows(flavorResource)));
            for (long amount = 0; node.isQueue() && amount < 20; amount += 3) {
              QuotaNode.Reach reach = node.reach(flavorResource, amount);
              lines.add(line(name, flavorResource, amount, reach.level(), reach.mayReclaim()));
            }
          }
          lines.add(name + " " + node.share().rounded());
        });
    return lines;
  }

  private static List<String> numbers(ReferenceQuota reference) {
    var lines = new ArrayList<String>();
    for (ReferenceQuota.Node node : reference.nodes()) {
      String name = (node.queue() ? "queue " : "cohort ") + node.name();
      for (FlavorResource flavorResource : all()) {
        lines.add(
            line(
                name,
                flavorResource,
                reference.subtreeQuota(node, flavorResource),
                reference.localQuota(node, flavorResource),
                reference.usage(node, flavorResource),
                reference.localAvailable(node, flavorResource),
                reference.available(node, flavorResource),
                reference.potentialAvailable(node, flavorResource),
                reference.borrows(node, flavorResource, 0)));
        for (long amount = 0; node.queue() && amount < 20; amount += 3) {
          ReferenceQuota.Reach reach = reference.heightThatFits(node, flavorResource, amount);
          lines.add(line(name, flavorResource, amount, reach.level(), reach.mayReclaim()));
        }
      }
      lines.add(name + " " + reference.portion(node).rounded());
    }
    return lines;
  }
}
