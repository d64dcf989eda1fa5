package dev.sluice.apiserver.registry.rules.storage;

import static dev.sluice.apiserver.registry.rules.Edits.inside;
import static dev.sluice.apiserver.registry.rules.Edits.orElse;

import dev.sluice.apiserver.registry.rules.Edits;
import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.apiserver.registry.rules.QuantityValidation;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import dev.sluice.model.SelectorValidation;
import dev.sluice.model.SemanticEquality;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The rules of PersistentVolumeClaims: protected while a pod uses them, with few mutable fields.
 */
public final class VolumeClaimRules implements KindRules {
  private static final Tree PENDING = Tree.of("phase", "Pending");

  @Override
  public ApiObject withDefaults(ApiObject object) {
    Tree spec = orElse(object.spec(), "volumeMode", "Filesystem");
    spec =
        inside(
            spec,
            "resources",
            needs ->
                inside(
                    inside(needs, "requests", QuantityValidation::canonical),
                    "limits",
                    QuantityValidation::canonical));
    Tree status =
        inside(
            orElse(object.status(), "phase", "Pending"), "capacity", QuantityValidation::canonical);
    return object.withSpec(spec).withStatus(status);
  }

  @Override
  public ApiObject onCreate(ApiObject object, Instant now) {
    return object.withStatus(PENDING).withFinalizer(PersistentVolumeClaim.PROTECTION);
  }

  @Override
  public void check(ApiObject object, ValidationErrors problems) {
    Tree spec = object.spec();
    StorageChecks.check(spec, problems);
    Tree requests = spec.tree("resources", "requests");
    QuantityValidation.check("spec.resources.requests", requests, problems);
    StorageChecks.checkSize("spec.resources", requests, problems);
    SelectorValidation.check("spec.selector", spec.tree("selector"), problems);
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    Tree was = before.spec();
    Tree now = after.spec();
    boolean bound = before.status().text("phase").equals("Bound");
    Tree allowed = was;
    if (was.text("volumeName").isEmpty()) {
      allowed = Edits.asIn(now, allowed, "volumeName");
      allowed =
          was.has("storageClassName") ? allowed : Edits.asIn(now, allowed, "storageClassName");
    }
    if (bound) {
      allowed = Edits.asIn(now, allowed, "volumeAttributesClassName");
      allowed = withSize(allowed, now);
    }
    if (!SemanticEquality.holds(allowed, now)) {
      problems.forbidden(
          "spec",
          "spec is immutable after creation except resources.requests and"
              + " volumeAttributesClassName for bound claims");
    } else if (bound) {
      checkGrowth(before, now, problems);
    }
  }

  private static Tree withSize(Tree spec, Tree source) {
    return source.tree("resources", "requests").has("storage")
        ? spec.with(
            List.of("resources", "requests", "storage"),
            source.at("resources", "requests", "storage"))
        : spec;
  }

  private static void checkGrowth(ApiObject before, Tree now, ValidationErrors problems) {
    Optional<Quantity> has = QuantityValidation.parse(before.status().at("capacity", "storage"));
    Optional<Quantity> asks = QuantityValidation.parse(now.at("resources", "requests", "storage"));
    Optional<Quantity> asked =
        QuantityValidation.parse(before.spec().at("resources", "requests", "storage"));
    boolean shrinks =
        asks.isPresent()
            && asked.isPresent()
            && asks.get().compareTo(asked.get()) < 0
            && has.filter(size -> asks.get().compareTo(size) <= 0).isPresent();
    if (shrinks) {
      problems.forbidden(
          "spec.resources.requests.storage", "field can not be less than status.capacity");
    }
  }
}
