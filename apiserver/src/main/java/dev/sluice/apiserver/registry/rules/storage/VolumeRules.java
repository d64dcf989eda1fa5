package dev.sluice.apiserver.registry.rules.storage;

import static dev.sluice.apiserver.registry.rules.Edits.inside;
import static dev.sluice.apiserver.registry.rules.Edits.orElse;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.apiserver.registry.rules.QuantityValidation;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiObject;
import dev.sluice.model.SemanticEquality;
import dev.sluice.model.Timestamps;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;

/** The rules of PersistentVolumes: one source, which is immutable, and a capacity. */
public final class VolumeRules implements KindRules {
  /** The fields of a volume's spec that are not a source. */
  private static final List<String> NO_SOURCES =
      List.of(
          "accessModes",
          "capacity",
          "claimRef",
          "mountOptions",
          "nodeAffinity",
          "persistentVolumeReclaimPolicy",
          "storageClassName",
          "volumeAttributesClassName",
          "volumeMode");

  @Override
  public ApiObject withDefaults(ApiObject object) {
    Tree spec = orElse(object.spec(), "persistentVolumeReclaimPolicy", "Retain");
    spec = orElse(spec, "volumeMode", "Filesystem");
    spec = inside(spec, "capacity", QuantityValidation::canonical);
    spec = inside(spec, "hostPath", path -> orElse(path, "type", ""));
    return object.withSpec(spec).withStatus(orElse(object.status(), "phase", "Pending"));
  }

  @Override
  public ApiObject onCreate(ApiObject object, Instant now) {
    return object
        .withStatus(Tree.of("phase", "Pending", "lastPhaseTransitionTime", Timestamps.format(now)))
        .withFinalizer(PersistentVolume.PROTECTION);
  }

  @Override
  public void check(ApiObject object, ValidationErrors problems) {
    Tree spec = object.spec();
    StorageChecks.check(spec, problems);
    Tree capacity = spec.tree("capacity");
    if (capacity.isEmpty()) {
      problems.required("spec.capacity", "");
    } else if (capacity.size() > 1 || !capacity.has("storage")) {
      problems.add(Cause.notSupported("spec.capacity", capacity.toString(), List.of("storage")));
    } else {
      QuantityValidation.check("spec.capacity", capacity, problems);
      StorageChecks.checkSize("spec.capacity", capacity, problems);
    }
    problems.oneOf(
        "spec.persistentVolumeReclaimPolicy",
        spec.text("persistentVolumeReclaimPolicy"),
        List.of("Delete", "Recycle", "Retain"));
    checkSource(spec, problems);
  }

  private static void checkSource(Tree spec, ValidationErrors problems) {
    List<String> sources = sources(spec);
    if (sources.isEmpty()) {
      problems.required("spec", "must specify a volume type");
    }
    sources.stream()
        .skip(1)
        .forEach(source ->
            problems.forbidden("spec." + source, "may not specify more than 1 volume type"));
    if (sources.contains("local") && !spec.has("nodeAffinity")) {
      problems.required("spec.nodeAffinity", "Local volume requires node affinity");
    }
  }

  private static List<String> sources(Tree spec) {
    return spec.names().stream().filter(name -> !NO_SOURCES.contains(name)).toList();
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    Tree was = before.spec();
    Tree now = after.spec();
    boolean moved =
        !sources(was).equals(sources(now))
            || sources(was).stream()
                .anyMatch(source -> !SemanticEquality.holds(was.at(source), now.at(source)));
    if (moved) {
      problems.forbidden(
          "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation");
    }
    problems.immutable("spec.volumeMode", was.text("volumeMode"), now.text("volumeMode"));
    if (was.has("nodeAffinity")) {
      problems.immutable("spec.nodeAffinity", was.at("nodeAffinity"), now.at("nodeAffinity"));
    }
  }
}
