package dev.sluice.engine.admission;

import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random queues, cohorts and workloads, small enough to collide often. */
public final class RandomQueues {
  public static final List<String> FLAVORS = List.of("f", "g");
  public static final List<String> RESOURCES = List.of("gpu", "disk");
  private static final int QUEUES = 5;

  private final RandomGenerator random;

  private final List<String> flavors;
  private boolean peaceful;
  private boolean inGroups;
  private boolean crowded;
  private boolean immense;

  public RandomQueues(RandomGenerator random) {
    this(random, FLAVORS);
  }

  /**
   * @param flavors those of all queues
   */
  public RandomQueues(RandomGenerator random, List<String> flavors) {
    this.random = random;
    this.flavors = flavors;
  }

  /** No queue preempts workloads. */
  public RandomQueues peaceful() {
    peaceful = true;
    return this;
  }

  /** Each resource is in a group of its own, with flavors of its own. */
  public RandomQueues inGroups() {
    inGroups = true;
    return this;
  }

  /** Many queues in one cohort, with one resource that all of them want. */
  public RandomQueues crowded() {
    crowded = true;
    return this;
  }

  /**
   * Now and then a queue has, or a workload wants, more than can be counted together with others.
   */
  RandomQueues immense() {
    immense = true;
    return this;
  }

  private long amount(int bound) {
    int amount = random.nextInt(bound);
    return immense && random.nextInt(4) == 0
        ? (random.nextBoolean() ? Amounts.UNLIMITED : Amounts.UNLIMITED / 2) - amount
        : amount;
  }

  private int size() {
    return crowded ? 3 * QUEUES : QUEUES;
  }

  /** What a flavor is called that a resource comes from. */
  public String flavor(String flavor, String resource) {
    return inGroups ? flavor + "-" + resource : flavor;
  }

  public List<QueueSketch> queues() {
    var queues = new ArrayList<QueueSketch>();
    for (int i = 0; i < size(); i++) {
      if (random.nextInt(12) > 0) {
        QueueSketch queue = named("q" + i).in(random.nextInt(6) == 0 ? "" : cohort());
        queue.within(policy()).reclaims(policy()).weight(random.nextInt(4) * 500L);
        queue.fungible(random.nextBoolean(), random.nextBoolean(), random.nextBoolean());
        if (random.nextInt(3) == 0) {
          queue.whileBorrowingUpTo(random.nextInt(4));
        }
        if (random.nextInt(4) == 0) {
          queue.strict();
        }
        if (random.nextInt(8) == 0) {
          queue.inactive();
        }
        queues.add(queue);
      }
    }
    return queues;
  }

  /** Parents are cohorts of a higher number, up to four levels; now and then they form a circle. */
  public List<QueueSketch> cohorts() {
    var cohorts = new ArrayList<QueueSketch>();
    for (int i = 0; i < 4 && !crowded; i++) {
      if (random.nextInt(3) > 0) {
        QueueSketch cohort = named("c" + i).weight(random.nextInt(4) * 500L);
        int parent = random.nextInt(12) == 0 ? random.nextInt(4) : i + 1 + random.nextInt(3);
        cohorts.add(parent < 4 ? cohort.in("c" + parent) : cohort);
      }
    }
    return cohorts;
  }

  private QueueSketch named(String name) {
    QueueSketch sketch = QueueSketch.named(name);
    if (!inGroups) {
      return withGroup(sketch, crowded ? RESOURCES.subList(0, 1) : RESOURCES);
    }
    for (String resource : RESOURCES) {
      withGroup(sketch.nextGroup(), List.of(resource));
    }
    return sketch;
  }

  private QueueSketch withGroup(QueueSketch sketch, List<String> resources) {
    for (String flavor : flavors) {
      for (String resource : resources) {
        sketch.has(flavor(flavor, resource), resource, amount(7));
      }
      if (random.nextInt(3) == 0) {
        sketch.borrows(amount(5));
      }
      if (random.nextInt(3) == 0) {
        sketch.lends(amount(5));
      }
    }
    return sketch;
  }

  private String cohort() {
    return crowded ? "c" : "c" + random.nextInt(4);
  }

  private PreemptionPolicy policy() {
    return peaceful
        ? PreemptionPolicy.NEVER
        : List.of(PreemptionPolicy.values()).get(random.nextInt(4));
  }

  public Job job(int number) {
    Amounts gpus = Amounts.of("gpu", amount(5));
    Amounts each = crowded ? gpus : gpus.plus(Amounts.of("disk", random.nextInt(3)));
    return Job.empty("j" + number, "q" + random.nextInt(size()))
        .pods("main", 1 + random.nextInt(2), each)
        .priority(random.nextInt(4))
        .since(random.nextInt(20))
        .reservedAt(random.nextInt(20));
  }

  public String flavor() {
    return flavors.get(random.nextInt(flavors.size()));
  }
}
