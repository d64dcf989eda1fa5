package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A claim that holds for some time unless it is renewed. */
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

  public Lease held(String holder, Duration duration, Instant now) {
    Tree spec =
        object
            .spec()
            .with("holderIdentity", holder)
            .with("leaseDurationSeconds", duration.toSeconds())
            .with("renewTime", Timestamps.formatMicros(now));
    return new Lease(object.withSpec(spec));
  }

  /** Gone with {@code owner}. */
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
