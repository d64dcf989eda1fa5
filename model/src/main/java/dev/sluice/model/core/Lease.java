package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A Lease, which expires unless its holder renews it. */
public record Lease(ApiObject object) {

  public static Lease of(String namespace, String name) {
    return new Lease(ApiObject.of(Kinds.LEASE, namespace, name));
  }

  public String holder() {
    return object.spec().text("holderIdentity");
  }

  public Optional<Instant> renewed() {
    return Timestamps.parse(object.spec().text("renewTime"));
  }

  /** The time for which the lease is valid after a renewal. */
  public Duration duration() {
    return Duration.ofSeconds(object.spec().whole("leaseDurationSeconds").orElse(0));
  }

  public Lease held(String holder, Duration duration, Instant now) {
    Tree spec =
        object
            .spec()
            .with("holderIdentity", holder)
            .with("leaseDurationSeconds", duration.toSeconds())
            .with("renewTime", Timestamps.formatMicros(now));
    return new Lease(object.withSpec(spec));
  }

  /** Acquired by a new holder. */
  public Lease taken(String holder, Duration duration, Instant now) {
    long transitions = object.spec().whole("leaseTransitions").orElse(0);
    ApiObject changed =
        object
            .with(List.of("spec", "acquireTime"), Timestamps.formatMicros(now))
            .with(List.of("spec", "leaseTransitions"), transitions + 1);
    return new Lease(changed).held(holder, duration, now);
  }

  /** Released, so that the next candidate need not wait for it to expire. */
  public Lease released(Instant now) {
    return held("", Duration.ofSeconds(1), now);
  }

  /** Owned by {@code owner}, so that it is deleted with it. */
  public Lease ownedBy(ApiObject owner) {
    Tree reference =
        Tree.of(
            "apiVersion",
            owner.apiVersion(),
            "kind",
            owner.kind(),
            "name",
            owner.name(),
            "uid",
            owner.uid());
    return new Lease(object.withMetadata("ownerReferences", List.of(reference)));
  }
}
