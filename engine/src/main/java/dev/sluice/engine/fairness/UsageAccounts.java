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
 * The usage accounts of LocalQueues for admission fair sharing: the queue with less usage, relative
 * to its weight, comes first. Queues are named as {@code namespace/name}; a queue without an
 * account has used nothing.
 *
 * <p>A workload is charged when its quota is reserved, so that a queue cannot reserve much before
 * the first sample counts it. The charge becomes part of the usage once the workload is admitted,
 * and is dropped if it is not.
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

  /** The usage and the weight of a queue. */
  private record Account(ConsumedUsage consumed, Quantity weight) {}

  /** The entry penalty of a workload. */
  private record Charge(String queue, Quantities penalty) {}

  public UsageAccounts(
      Duration halfLife, Duration interval, SortedMap<String, BigDecimal> resourceWeights) {
    this.decay = new UsageDecay(halfLife);
    this.interval = interval;
    this.resourceWeights = new TreeMap<>(resourceWeights);
  }

  /** Sets the time as of which usage is compared. */
  public void advance(Instant time) {
    now = time;
  }

  /** How often usage is sampled. */
  public Duration interval() {
    return interval;
  }

  /** Opens the account of a queue, or updates its weight. Its earlier usage is taken over once. */
  public void open(String queue, Quantity weight, ConsumedUsage before) {
    accounts.merge(
        queue, new Account(before, weight), (known, _) -> new Account(known.consumed(), weight));
  }

  public void close(String queue) {
    accounts.remove(queue);
  }

  /** The usage of a queue as of its last sample. */
  public Optional<ConsumedUsage> consumed(String queue) {
    return Optional.ofNullable(accounts.get(queue)).map(Account::consumed);
  }

  /**
   * Adds what a queue's admitted workloads have used, if the interval since the last sample has
   * passed.
   */
  public Optional<ConsumedUsage> sample(String queue, Amounts admitted, Instant now) {
    accounts.computeIfPresent(
        queue,
        (_, account) ->
            account.consumed().lastUpdate().plus(interval).isAfter(now)
                ? account
                : new Account(account.consumed().sample(decay, admitted, now), account.weight()));
    return consumed(queue);
  }

  /** Charges a workload whose quota was reserved. */
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
   * @param admitted the usage of the queue's other admitted workloads
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

  /** The usage of a queue now, charges included. */
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
