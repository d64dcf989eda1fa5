package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.apply.ManagedFields;
import dev.sluice.apiserver.registry.admission.AdmissionChain;
import dev.sluice.apiserver.registry.kind.ApiErrors;
import dev.sluice.apiserver.registry.kind.KindRegistry;
import dev.sluice.apiserver.registry.kind.RuledKind;
import dev.sluice.apiserver.registry.kind.Scaling;
import dev.sluice.apiserver.registry.rules.core.NamespaceRules;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.StaleException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Updates and patches of objects and their subresources.
 *
 * <p>Fields that a write may not change are restored, then the rest is validated. A write that lost
 * a race is tried again on the new state, unless it is tied to a revision. An object that is being
 * deleted is removed together with its last finalizer. Threads: safe.
 */
final class Updater {
  /** The number of attempts for a write that is not tied to a revision. */
  static final int ATTEMPTS = 5;

  private static final List<String> STATUS = List.of("status");

  private final StorageWriter writer;
  private final AdmissionChain admission;
  private final KindRegistry kinds;
  private final TimeSource time;

  Updater(StorageWriter writer, AdmissionChain admission, KindRegistry kinds, TimeSource time) {
    this.writer = writer;
    this.kinds = kinds;
    this.admission = admission;
    this.time = time;
  }

  /** The object, or the subresource of it, to write. */
  record Target(RuledKind ruled, ObjectKey key, String subresource) {

    /** The same object under the rules of another version of its kind. */
    Target in(RuledKind version) {
      return new Target(version, version.key(key.namespace(), key.name()), subresource);
    }
  }

  /**
   * Replaces an object.
   *
   * @param create creates the object if it does not exist and its kind allows that
   */
  ApiObject update(Target target, Tree body, WriteOptions options, Supplier<ApiObject> create) {
    RuledKind ruled = target.ruled();
    Optional<ApiObject> stored = writer.read(target.key());
    ApiObject asked =
        new ObjectDecoder(ruled, options, ObjectDecoder.Origin.WRITTEN)
            .read(body, stored.map(ruled::in));
    checkPlace(target.key(), asked);
    Optional<Long> seen = seenRevision(asked);
    for (int attempt = 1; ; attempt++) {
      if (stored.isEmpty()) {
        checkCreatable(target, asked, seen);
        return create.get();
      }
      checkSeen(target, asked, seen, stored.get());
      try {
        return write(target, stored.get(), asked, options);
      } catch (StaleException lost) {
        if (seen.isPresent() || attempt == ATTEMPTS) {
          throw ApiFailure.conflict(target.key());
        }
        stored = writer.read(target.key());
      }
    }
  }

  /** Changes an object by a function of its current state. */
  ApiObject patch(Target target, UnaryOperator<Tree> patch, WriteOptions options) {
    RuledKind ruled = target.ruled();
    for (int attempt = 1; ; attempt++) {
      ApiObject stored =
          writer.read(target.key()).orElseThrow(() -> ApiFailure.notFound(target.key()));
      ApiObject before = ruled.in(stored);
      Tree patched = patch.apply(before.tree());
      ApiObject asked =
          new ObjectDecoder(ruled, options, ObjectDecoder.Origin.PATCHED)
              .read(patched, Optional.of(before));
      checkPlace(target.key(), asked);
      checkPatched(target, before, asked);
      try {
        return write(target, stored, asked, options);
      } catch (StaleException lost) {
        if (attempt == ATTEMPTS) {
          throw ApiFailure.conflict(target.key());
        }
      }
    }
  }

  static void checkPlace(ObjectKey key, ApiObject asked) {
    if (!asked.name().equals(key.name()) && !asked.name().isEmpty()) {
      throw ApiErrors.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(asked.name(), key.name()));
    }
    boolean elsewhere =
        key.kind().namespaced()
            && !asked.namespace().isEmpty()
            && !asked.namespace().equals(key.namespace());
    if (elsewhere) {
      throw ApiErrors.badRequest(
          "the namespace of the object (%s) does not match the namespace on the request (%s)"
              .formatted(asked.namespace(), key.namespace()));
    }
  }

  private static Optional<Long> seenRevision(ApiObject asked) {
    String seen = asked.resourceVersion();
    if (seen.isEmpty() || seen.equals("0")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(seen));
    } catch (NumberFormatException malformed) {
      throw ApiFailure.because(
          ApiFailure.Reason.INTERNAL_ERROR,
          "metadata.resourceVersion \"%s\" is not a revision of this server".formatted(seen));
    }
  }

  private static void checkCreatable(Target target, ApiObject asked, Optional<Long> seen) {
    if (!target.ruled().traits().createdByUpdate()) {
      throw ApiFailure.notFound(target.key());
    }
    if (seen.isPresent() || !asked.uid().isEmpty()) {
      throw ApiErrors.precondition(target.key(), "UID", asked.uid(), "");
    }
  }

  private static void checkSeen(
      Target target, ApiObject asked, Optional<Long> seen, ApiObject stored) {
    if (seen.isEmpty() && target.ruled().traits().conditional()) {
      throw ApiErrors.missingRevision(target.key());
    }
    if (!asked.uid().isEmpty() && !asked.uid().equals(stored.uid())) {
      throw ApiErrors.precondition(target.key(), "UID", asked.uid(), stored.uid());
    }
    if (seen.isPresent() && seen.get() != StorageWriter.revision(stored)) {
      throw ApiFailure.conflict(target.key());
    }
  }

  private static void checkPatched(Target target, ApiObject before, ApiObject asked) {
    String revision = asked.resourceVersion();
    if (!revision.isEmpty() && !revision.equals(before.resourceVersion())) {
      throw ApiFailure.conflict(target.key());
    }
    if (!asked.uid().isEmpty() && !asked.uid().equals(before.uid())) {
      throw ApiFailure.invalid(
          target.key().kind(),
          target.key().name(),
          List.of(Cause.invalid("metadata.uid", asked.uid(), "field is immutable")));
    }
  }

  private ApiObject write(Target target, ApiObject stored, ApiObject asked, WriteOptions options) {
    RuledKind ruled = target.ruled();
    ApiObject before = ruled.in(stored);
    ApiObject after = ManagedFields.keepingTimes(before, decide(target, before, asked, options));
    boolean done =
        after.isDeleting()
            && ruled.rules().holders(after).isEmpty()
            && after.tree().whole("metadata", "deletionGracePeriodSeconds").orElse(0) == 0;
    if (done) {
      writer.remove(target.key(), stored, options.dryRun());
      return after;
    }
    return ruled.in(writer.replace(target.key(), stored, after, options.dryRun()));
  }

  /** The object to store. */
  private ApiObject decide(Target target, ApiObject before, ApiObject asked, WriteOptions options) {
    RuledKind ruled = target.ruled();
    ApiObject complete = ObjectMetadata.updated(before, ruled.withDefaults(before, asked));
    ApiObject single = ObjectMetadata.withDistinctOwners(complete, options.warnings());
    ApiObject owned =
        options
            .manager()
            .updated(kinds.part(ruled, target.subresource()), before, single, time.now());
    return switch (target.subresource()) {
      case "", Scaling.SUBRESOURCE -> whole(ruled, before, owned, options);
      case "status" -> status(ruled, before, owned);
      case "finalize" -> checked(ruled, before, NamespaceRules.withFinalizersOf(owned, before));
      default -> throw ApiErrors.noSuchSubresource(target.key(), target.subresource());
    };
  }

  private ApiObject whole(
      RuledKind ruled, ApiObject before, ApiObject asked, WriteOptions options) {
    Instant now = time.now();
    ApiObject kept = ruled.splitsStatus() ? withStatusOf(before, asked) : asked;
    ApiObject admitted = ruled.withDefaults(before, admission.admitUpdate(ruled, before, kept));
    ApiObject after = counted(ruled, before, ruled.rules().onUpdate(before, admitted, now));
    if (after.equals(before)) {
      return before;
    }
    options.warn(() -> ruled.rules().updateWarnings(before, after));
    ApiObject valid = checked(ruled, before, after);
    admission.checkUpdate(ruled, before, valid, writer.snapshot());
    options.warn(() -> admission.warnings(ruled, valid));
    return valid;
  }

  private static ApiObject checked(RuledKind ruled, ApiObject before, ApiObject after) {
    var problems = new ValidationErrors();
    MetadataValidation.checkUpdate(before, after, problems);
    problems.addAll(ruled.schema().problems(before.tree(), after.tree()));
    if (!ruled.judgesAlike(before, after)) {
      ruled.rules().check(after, problems);
    }
    ruled.rules().checkUpdate(before, after, problems);
    problems.refuse(ruled.kind(), after.name());
    return after;
  }

  private ApiObject status(RuledKind ruled, ApiObject before, ApiObject asked) {
    Tree others = before.tree().with("metadata", asked.metadata());
    ApiObject kept = ruled.rules().onStatus(before, withStatusOf(asked, new ApiObject(others)));
    ApiObject after = ManagedFields.copied(asked, kept);
    if (after.equals(before)) {
      return before;
    }
    var problems = new ValidationErrors();
    MetadataValidation.checkUpdate(before, after, problems);
    problems.addAll(ruled.schema().problems(before.tree(), after.tree()));
    ruled.rules().checkStatus(before, after, problems);
    problems.refuse(ruled.kind(), after.name());
    admission.checkStatus(ruled, before, after);
    return after;
  }

  private static ApiObject withStatusOf(ApiObject source, ApiObject object) {
    return source.tree().at("status") == Value.Null.NULL
        ? object.without(STATUS)
        : object.with(STATUS, source.tree().at("status"));
  }

  /**
   * Increments the generation if anything changed but metadata, and status where it is a
   * subresource.
   */
  private static ApiObject counted(RuledKind ruled, ApiObject before, ApiObject after) {
    if (!ruled.traits().counted() || counts(ruled, before).equals(counts(ruled, after))) {
      return after;
    }
    return after.withMetadata("generation", before.generation() + 1);
  }

  private static Tree counts(RuledKind ruled, ApiObject object) {
    Tree rest = object.tree().without("metadata");
    return ruled.splitsStatus() ? rest.without("status") : rest;
  }
}
