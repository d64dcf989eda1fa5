package dev.sluice.engine.fairness;

import dev.sluice.model.Amounts;
import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What LocalQueues have used before, by which they take turns: whoever used less, in relation to
 * its weight, comes first. Queues are named as {@code namespace/name}; those without an account
 * have used nothing.
 *
 * <p>A workload is charged when it is given quota, so that a queue cannot be given much before the
 * first sample counts it. The charge becomes part of the usage once the workload is admitted, and
 * is dropped if it is not.
 *
 * <p>Threads: one owner.
 */
public final class UsageAccounts implements Comparator<String> {
  private final UsageDecay decay;
  private final Duration interval;
  private final SortedMap<String, BigDecimal> resourceWeights;
  private final Map<String, Account> accounts = new LinkedHashMap<>();
  private final Map<String, Charge> charges = new LinkedHashMap<>();
  private Instant now = Instant.MIN;

  /** What a queue used, and its weight. */
  private record Account(ConsumedUsage consumed, Quantity weight) {}

  /** What a workload will add to a queue's usage. */
  private record Charge(String queue, Quantities penalty) {}

  public UsageAccounts(
      Duration halfLife, Duration interval, SortedMap<String, BigDecimal> resourceWeights) {
    this.decay = new UsageDecay(halfLife);
    this.interval = interval;
    this.resourceWeights = new TreeMap<>(resourceWeights);
  }

  /** What is compared from now on is what is left of the usage at this moment. */
  public void advance(Instant time) {
    now = time;
  }

  /** How often usage is sampled. */
  public Duration interval() {
    return interval;
  }

  /** Gives a queue an account, or a new weight. What it used is taken over once. */
  public void open(String queue, Quantity weight, ConsumedUsage before) {
    accounts.merge(
        queue, new Account(before, weight), (known, _) -> new Account(known.consumed(), weight));
  }

  public void close(String queue) {
    accounts.remove(queue);
  }

  /** What a queue has used, as of its last sample. */
  public Optional<ConsumedUsage> consumed(String queue) {
    return Optional.ofNullable(accounts.get(queue)).map(Account::consumed);
  }

  /** Counts what a queue's admitted workloads have used since the last sample, once it is time. */
  public Optional<ConsumedUsage> sample(String queue, Amounts admitted, Instant now) {
    accounts.computeIfPresent(
        queue,
        (_, account) ->
            account.consumed().lastUpdate().plus(interval).isAfter(now)
                ? account
                : new Account(account.consumed().sample(decay, admitted, now), account.weight()));
    return consumed(queue);
  }

  /** A workload was given what it asked for. */
  public void charge(String queue, String workload, Amounts requests) {
    charges.put(workload, new Charge(queue, ConsumedUsage.penalty(decay, requests, interval)));
  }

  /** The queue that a workload was charged to, if it was. */
  public Optional<String> charged(String workload) {
    return Optional.ofNullable(charges.get(workload)).map(Charge::queue);
  }

  /**
   * A charged workload was admitted: its charge is part of the usage from now on.
   *
   * @param admitted what the queue's other workloads have been using
   */
  public void settle(String workload, Amounts admitted, Instant now) {
    Charge charge = charges.remove(workload);
    if (charge != null) {
      accounts.computeIfPresent(
          charge.queue(),
          (_, account) ->
              new Account(
                  account.consumed().sample(decay, admitted, now).plus(charge.penalty()),
                  account.weight()));
    }
  }

  /** A charged workload was not admitted after all. */
  public void forgive(String workload) {
    charges.remove(workload);
  }

  @Override
  public int compare(String queue, String other) {
    return queue.equals(other) ? 0 : usage(queue).compareTo(usage(other));
  }

  /** What counts for a queue now, charges included. */
  public WeightedUsage usage(String queue) {
    Account account = accounts.get(queue);
    Quantities total =
        account == null ? Quantities.NONE : account.consumed().decay(decay, now).consumed();
    for (Charge charge : charges.values()) {
      if (charge.queue().equals(queue)) {
        total = total.plus(charge.penalty());
      }
    }
    Quantity weight = account == null ? Quantity.of(1) : account.weight();
    return WeightedUsage.of(total, resourceWeights, weight);
  }
}
