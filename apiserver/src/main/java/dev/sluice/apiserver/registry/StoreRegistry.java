package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.registry.admission.AdmissionChain;
import dev.sluice.apiserver.registry.admission.ResourceQuotaAdmission;
import dev.sluice.apiserver.registry.kind.ApiErrors;
import dev.sluice.apiserver.registry.kind.BuiltInKinds;
import dev.sluice.apiserver.registry.kind.CustomKinds;
import dev.sluice.apiserver.registry.kind.EventConverter;
import dev.sluice.apiserver.registry.kind.KindRegistry;
import dev.sluice.apiserver.registry.kind.RuledKind;
import dev.sluice.apiserver.registry.kind.Scaling;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.apiserver.registry.kind.VersionConverter;
import dev.sluice.apiserver.registry.kind.Versions;
import dev.sluice.apiserver.registry.rules.core.PriorityClassRules;
import dev.sluice.apiserver.registry.rules.definition.DefinitionRules;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The registry over a store. With a seeded generator, virtual time and one thread, the same writes
 * give the same objects, to the byte. Threads: safe.
 */
public final class StoreRegistry implements Registry, AutoCloseable {
  private final Store store;
  private final TimeSource time;
  private final Versions versions;
  private final AdmissionChain admission;
  private final CustomKinds customKinds;
  private final KindRegistry kinds;
  private final Definitions definitions;
  private final Creator creator;
  private final Updater updater;
  private final Scaler scaler;
  private final ServerSideApply configurer;
  private final Deleter deleter;
  private final Binder binder;
  private final Evictor evictor;

  public StoreRegistry(
      Store store, TimeSource time, RandomGenerator random, List<AdmissionHook> hooks) {
    this(store, time, random, hooks, List.of());
  }

  /**
   * @param converters convert the versions of custom kinds that differ in more than their name
   */
  public StoreRegistry(
      Store store,
      TimeSource time,
      RandomGenerator random,
      List<AdmissionHook> hooks,
      List<VersionConverter> converters) {
    this.store = store;
    this.time = time;
    this.versions =
        new Versions(Stream.concat(Stream.of(new EventConverter()), converters.stream()).toList());
    this.admission = new AdmissionChain(hooks, versions);
    this.customKinds = new CustomKinds(store, versions);
    var rules =
        new DefinitionRules(
            () -> store.snapshot().list(Kinds.CUSTOM_RESOURCE_DEFINITION), versions::convert);
    this.kinds = new KindRegistry(BuiltInKinds.builtIn(rules), customKinds);
    var writer = new StorageWriter(store, kinds::storage, versions, this::removed);
    this.deleter = new Deleter(writer, time);
    this.definitions = new Definitions(store, time, rules, this::deleteCustom);
    var quotas = new ResourceQuotaAdmission(store, time, kinds::once);
    this.creator =
        new Creator(store, writer, admission, quotas, new Identities(random), kinds, time);
    this.updater = new Updater(writer, admission, kinds, time);
    this.scaler = new Scaler(updater);
    this.configurer = new ServerSideApply(writer, creator, updater, kinds, time);
    this.binder = new Binder(writer, time);
    this.evictor = new Evictor(writer, deleter, time);
  }

  /** Adds hooks for later writes: those that read a cluster, which needs this registry first. */
  public void addHooks(List<AdmissionHook> more) {
    admission.add(more);
  }

  /**
   * Creates the objects that every cluster has, and finishes deletions that a restart interrupted.
   */
  public void bootstrap() {
    ServedKind namespaces = kinds.builtIn(Kinds.NAMESPACE).served();
    for (String name : AdmissionChain.PERMANENT) {
      if (store.get(Kinds.NAMESPACE.key(name)).isEmpty()) {
        Tree body = ApiObject.of(Kinds.NAMESPACE, "", name).tree();
        create(namespaces, "", body, WriteOptions.INTERNAL);
      }
    }
    ServedKind priorities = kinds.builtIn(Kinds.PRIORITY_CLASS).served();
    for (ApiObject missing : PriorityClassRules.system()) {
      if (store.get(missing.key(Kinds.PRIORITY_CLASS)).isEmpty()) {
        create(priorities, "", missing.tree(), WriteOptions.INTERNAL);
      }
    }
    definitions.resume();
  }

  @Override
  public List<ServedKind> kinds() {
    return kinds.served();
  }

  @Override
  public Optional<ServedKind> find(String group, String version, String plural) {
    return kinds.find(group, version, plural).map(RuledKind::served);
  }

  @Override
  public ApiObject create(ServedKind kind, String namespace, Tree body, WriteOptions options) {
    warnOfDeprecation(kind, options);
    Optional<Translator> translator = translator(kind, "");
    if (translator.isEmpty()) {
      return creator.create(kinds.of(kind), namespace, body, options);
    }
    Tree written = translator.get().written(body, Optional.empty(), options);
    RuledKind stored = translator.get().stored();
    ApiObject created = creator.create(stored, namespace, written, options.accounted());
    return translator.get().answer(created);
  }

  /** The translator for a client that uses another version than the stored one. */
  private Optional<Translator> translator(ServedKind kind, String subresource) {
    if (kind.builtIn()) {
      return kind.kind().equals(Kinds.GROUPED_EVENT)
          ? Optional.of(eventTranslator(kinds.of(kind)))
          : Optional.empty();
    }
    ResourceKind storage = kinds.storage(kind.kind());
    if (storage.equals(kind.kind()) || !versions.convert(storage)) {
      return Optional.empty();
    }
    return customKinds
        .stored(storage)
        .map(stored -> translator(kinds.of(kind), stored, subresource));
  }

  private Translator eventTranslator(RuledKind grouped) {
    return translator(grouped, kinds.builtIn(Kinds.EVENT).ruledBy(grouped.rules()), "");
  }

  private Translator translator(RuledKind spoken, RuledKind stored, String subresource) {
    return new Translator(spoken, stored, kinds.part(spoken, subresource), time.now());
  }

  @Override
  public ApiObject in(ResourceKind kind, ApiObject stored) {
    return versions.in(kind, stored);
  }

  @Override
  public ApiObject shown(ServedKind kind, String subresource, ApiObject object) {
    return subresource.equals(Scaling.SUBRESOURCE) ? Scaler.read(kinds.of(kind), object) : object;
  }

  @Override
  public ApiObject update(
      ServedKind kind,
      String namespace,
      String name,
      String subresource,
      Tree body,
      WriteOptions options) {
    warnOfDeprecation(kind, options);
    Updater.Target target = target(kind, namespace, name, subresource);
    if (subresource.equals(Scaling.SUBRESOURCE)) {
      return scaler.update(target, _ -> body, options);
    }
    Optional<Translator> translator = translator(kind, subresource);
    if (translator.isEmpty()) {
      return update(target, body, options);
    }
    Optional<ApiObject> before = store.get(target.key()).map(translator.get()::answer);
    Tree written = translator.get().written(body, before, options);
    Updater.Target stored = target.in(translator.get().stored());
    return translator.get().answer(update(stored, written, options.accounted()));
  }

  private ApiObject update(Updater.Target target, Tree body, WriteOptions options) {
    return updater.update(
        target,
        body,
        options,
        () -> {
          Tree named = new ApiObject(body).withMetadata("name", target.key().name()).tree();
          return creator.create(target.ruled(), target.key().namespace(), named, options);
        });
  }

  @Override
  public ApiObject patch(
      ServedKind kind,
      String namespace,
      String name,
      String subresource,
      UnaryOperator<Tree> patch,
      WriteOptions options) {
    warnOfDeprecation(kind, options);
    Updater.Target target = target(kind, namespace, name, subresource);
    if (subresource.equals(Scaling.SUBRESOURCE)) {
      return scaler.update(target, patch, options);
    }
    Optional<Translator> translator = translator(kind, subresource);
    if (translator.isEmpty()) {
      return updater.patch(target, patch, options);
    }
    Updater.Target stored = target.in(translator.get().stored());
    UnaryOperator<Tree> translated = translator.get().patch(patch, options);
    return translator.get().answer(updater.patch(stored, translated, options.accounted()));
  }

  @Override
  public Applied apply(
      ServedKind kind,
      String namespace,
      String name,
      String subresource,
      Tree configuration,
      boolean force,
      WriteOptions options,
      Runnable beforeCreation) {
    warnOfDeprecation(kind, options);
    Updater.Target target = target(kind, namespace, name, subresource);
    if (subresource.equals(Scaling.SUBRESOURCE)) {
      throw Scaler.notApplied();
    }
    return configurer.apply(target, configuration, force, options, beforeCreation);
  }

  private Updater.Target target(
      ServedKind kind, String namespace, String name, String subresource) {
    RuledKind ruled = kinds.of(kind);
    ObjectKey key = ruled.key(namespace, name);
    if (!subresource.isEmpty() && !ruled.has(subresource)) {
      throw ApiErrors.noSuchSubresource(key, subresource);
    }
    return new Updater.Target(ruled, key, subresource);
  }

  private void warnOfDeprecation(ServedKind kind, WriteOptions options) {
    deprecation(kind).ifPresent(options.warnings());
  }

  @Override
  public Optional<String> deprecation(ServedKind kind) {
    return kind.builtIn() ? Optional.empty() : customKinds.deprecation(kind.kind());
  }

  @Override
  public Tree post(
      ServedKind kind,
      String namespace,
      String name,
      String subresource,
      Tree body,
      WriteOptions options) {
    Updater.Target target = target(kind, namespace, name, subresource);
    if (subresource.equals("binding")) {
      return binder.bind(target.key(), body, options.dryRun());
    }
    if (subresource.equals("eviction")) {
      return evictor.evict(target.ruled(), target.key(), body, options.dryRun());
    }
    throw ApiFailure.because(
        ApiFailure.Reason.METHOD_NOT_ALLOWED,
        "nothing can be posted to the subresource \"%s\" of %s"
            .formatted(subresource, kind.kind().plural()));
  }

  @Override
  public Deleted delete(ServedKind kind, String namespace, String name, DeleteRequest request) {
    RuledKind ruled = kinds.of(kind);
    ObjectKey key = ruled.key(namespace, name);
    Deleted deleted = deleter.delete(ruled, key, request);
    boolean hasObjects = key.kind().equals(Kinds.CUSTOM_RESOURCE_DEFINITION);
    if (!hasObjects || deleted.gone() || request.dryRun()) {
      return deleted;
    }
    definitions.empty(deleted.object());
    Optional<ApiObject> left =
        store.get(key).filter(now -> now.uid().equals(deleted.object().uid()));
    return new Deleted(left.orElse(deleted.object()), left.isEmpty());
  }

  private void deleteCustom(ObjectKey key, DeleteRequest request) {
    deleter.delete(kinds.anyVersion(key.kind()), key, request);
  }

  private void removed(ObjectKey key) {
    if (kinds.isCustom(key.kind()) || key.kind().equals(Kinds.CUSTOM_RESOURCE_DEFINITION)) {
      definitions.removed(key);
    }
  }

  /** Stops the watches of the store, which stays open. */
  @Override
  public void close() {
    customKinds.close();
  }
}
