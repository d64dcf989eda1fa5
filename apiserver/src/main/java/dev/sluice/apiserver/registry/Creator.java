package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.registry.admission.AdmissionChain;
import dev.sluice.apiserver.registry.admission.ResourceQuotaAdmission;
import dev.sluice.apiserver.registry.kind.ApiErrors;
import dev.sluice.apiserver.registry.kind.KindRegistry;
import dev.sluice.apiserver.registry.kind.RuledKind;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.StaleException;
import dev.sluice.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The creation of objects: read, default, admit, name, prepare, validate, store. Threads: safe. */
final class Creator {
  private static final int NAME_ATTEMPTS = 8;

  private final Store store;
  private final StorageWriter writer;
  private final AdmissionChain admission;
  private final Identities identities;
  private final ResourceQuotaAdmission quotas;
  private final KindRegistry kinds;
  private final TimeSource time;

  /** The last object read of each kind: the next one is often made from the same template. */
  private final Map<ResourceKind, ApiObject> lastRead = new ConcurrentHashMap<>();

  Creator(
      Store store,
      StorageWriter writer,
      AdmissionChain admission,
      ResourceQuotaAdmission quotas,
      Identities identities,
      KindRegistry kinds,
      TimeSource time) {
    this.store = store;
    this.writer = writer;
    this.admission = admission;
    this.quotas = quotas;
    this.identities = identities;
    this.kinds = kinds;
    this.time = time;
  }

  ApiObject create(RuledKind ruled, String namespace, Tree body, WriteOptions options) {
    ApiObject read = read(ruled, body, options);
    ApiObject asked = ruled.withDefaults(inNamespace(ruled, namespace, read));
    if (!asked.resourceVersion().isEmpty()) {
      throw ApiFailure.because(
          ApiFailure.Reason.INTERNAL_ERROR,
          "resourceVersion should not be set on objects to be created");
    }
    throwIfPresent(admission.refusal(ruled, ruled.key(namespace, asked.name()), store.snapshot()));
    ApiObject owned = options.manager().created(kinds.part(ruled, ""), asked, time.now());
    ApiObject admitted = ruled.withDefaults(admission.admit(ruled, owned, store.snapshot()));
    ApiObject single = ObjectMetadata.withDistinctOwners(admitted, options.warnings());
    String prefix = single.tree().text("metadata", "generateName");
    return single.name().isEmpty() && !prefix.isEmpty()
        ? createNamed(ruled, single, prefix, options)
        : createOnce(ruled, single, single.name(), options);
  }

  private ApiObject read(RuledKind ruled, Tree body, WriteOptions options) {
    Optional<ApiObject> like = Optional.ofNullable(lastRead.get(ruled.kind()));
    ApiObject read =
        new ObjectDecoder(ruled, options, ObjectDecoder.Origin.WRITTEN).read(body, like);
    lastRead.put(ruled.kind(), read);
    return read;
  }

  private static void throwIfPresent(Optional<ApiException> refusal) {
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  private static ApiObject inNamespace(RuledKind ruled, String namespace, ApiObject object) {
    if (!ruled.kind().namespaced()) {
      return object.withoutMetadata("namespace");
    }
    if (namespace.isEmpty()) {
      throw ApiErrors.badRequest(
          "%s live in namespaces: name one in the path".formatted(ruled.kind().plural()));
    }
    String written = object.namespace();
    if (!written.isEmpty() && !written.equals(namespace)) {
      throw ApiErrors.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request"
              + " (%s, not %s)".formatted(written, namespace));
    }
    return object.withMetadata("namespace", namespace);
  }

  private ApiObject createNamed(
      RuledKind ruled, ApiObject asked, String prefix, WriteOptions options) {
    String name = identities.name(prefix);
    for (int attempt = 1; attempt <= NAME_ATTEMPTS; attempt++) {
      boolean free = writer.read(ruled.key(asked.namespace(), name)).isEmpty();
      try {
        if (free) {
          return createOnce(ruled, asked, name, options);
        }
      } catch (ApiException taken) {
        if (!taken.is(ApiFailure.Reason.ALREADY_EXISTS)) {
          throw taken;
        }
      }
      name = identities.name(prefix);
    }
    throw ApiErrors.noFreeName(ruled.key(asked.namespace(), name));
  }

  private ApiObject createOnce(
      RuledKind ruled, ApiObject asked, String name, WriteOptions options) {
    ObjectKey key = ruled.key(asked.namespace(), name);
    ApiObject object = prepared(ruled, asked, name);
    validate(ruled, object);
    options.warn(() -> ruled.rules().warnings(object));
    options.warn(() -> admission.warnings(ruled, object));
    try {
      return ruled.in(store(ruled, key, object, options));
    } catch (StaleException taken) {
      throw ApiErrors.taken(key, writer.read(key));
    }
  }

  /** Stores the object, if the quotas of its namespace allow it. */
  private ApiObject store(RuledKind ruled, ObjectKey key, ApiObject object, WriteOptions options) {
    Optional<ResourceQuotaAdmission.Passage> passage = quotas.pass(key, object);
    try {
      ApiObject created = writer.create(key, object, options.dryRun());
      if (!options.dryRun()) {
        withdrawIfLate(ruled, key, created);
      }
      return created;
    } finally {
      passage.ifPresent(ResourceQuotaAdmission.Passage::close);
    }
  }

  private ApiObject prepared(RuledKind ruled, ApiObject asked, String name) {
    Instant now = time.now();
    ApiObject fresh = ObjectMetadata.fresh(asked, ruled.traits(), name, identities.uid(), now);
    boolean keepsStatus = !ruled.splitsStatus() || ruled.traits().startsWithStatus();
    ApiObject started = keepsStatus ? fresh : fresh.without(List.of("status"));
    return ruled.rules().onCreate(started, now);
  }

  private void validate(RuledKind ruled, ApiObject object) {
    var problems = new ValidationErrors();
    MetadataValidation.checkNew(object, ruled.rules(), problems);
    problems.addAll(ruled.schema().problems(object.tree()));
    ruled.rules().check(object, problems);
    ruled.rules().checkNew(object, problems);
    problems.refuse(ruled.kind(), object.name());
    admission.checkCreate(ruled, object, store.snapshot());
  }

  /**
   * Deletes an object whose namespace or definition began to terminate between the check and the
   * write. The cleanup of both marks them first and lists their objects then, so one of the two
   * sees the other.
   */
  private void withdrawIfLate(RuledKind ruled, ObjectKey key, ApiObject created) {
    Optional<ApiException> refusal = admission.refusal(ruled, key, store.snapshot());
    if (refusal.isPresent()) {
      try {
        writer.remove(key, created, false);
      } catch (StaleException cleaned) {
        // The cleanup of the namespace has deleted it already.
      }
      throw refusal.get();
    }
  }
}
