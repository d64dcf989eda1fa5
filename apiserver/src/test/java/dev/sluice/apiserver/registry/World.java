package dev.sluice.apiserver.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.apiserver.apply.FieldManager;
import dev.sluice.apiserver.registry.WriteOptions.FieldValidation;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.apiserver.registry.kind.VersionConverter;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.Deletion.Propagation;
import dev.sluice.runtime.VirtualTime;
import dev.sluice.store.Change;
import dev.sluice.store.Store;
import dev.sluice.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A registry over an in-memory store, in virtual time, with short ways to write to it. */
public final class World {
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  public final Store store;
  public final VirtualTime time = new VirtualTime(START);
  public final List<String> warnings = new ArrayList<>();
  public final WriteOptions options = options(false, FieldValidation.WARN);
  public final StoreRegistry registry;

  public World(AdmissionHook... hooks) {
    this(1, hooks);
  }

  World(long seed, AdmissionHook... hooks) {
    this(seed, List.of(hooks), List.of());
  }

  public World(List<AdmissionHook> hooks, List<VersionConverter> converters) {
    this(1, hooks, converters);
  }

  World(Store store) {
    this(store, 1, List.of(), List.of());
  }

  private World(long seed, List<AdmissionHook> hooks, List<VersionConverter> converters) {
    this(Stores.inMemory(), seed, hooks, converters);
  }

  private World(
      Store store, long seed, List<AdmissionHook> hooks, List<VersionConverter> converters) {
    this.store = store;
    registry = new StoreRegistry(store, time, new SplittableRandom(seed), hooks, converters);
    registry.bootstrap();
  }

  public static Tree yaml(String text) {
    return Yaml.parseAll(text).getFirst().asTree();
  }

  public WriteOptions options(boolean dryRun, FieldValidation validation) {
    return new WriteOptions(dryRun, validation, warnings::add, FieldManager.INTERNAL);
  }

  public ServedKind served(ResourceKind kind) {
    return registry.find(kind.group(), kind.version(), kind.plural()).orElseThrow();
  }

  public void pass(Duration span) {
    time.after(span, () -> {});
    time.step();
  }

  /** Creates in the namespace default. */
  public ApiObject create(ResourceKind kind, String text) {
    return create(kind, yaml(text));
  }

  public ApiObject create(ResourceKind kind, Tree body) {
    return create(kind, body, options);
  }

  public ApiObject create(ResourceKind kind, Tree body, WriteOptions how) {
    String namespace = kind.namespaced() ? "default" : "";
    return registry.create(served(kind), namespace, body, how);
  }

  public ApiObject update(ResourceKind kind, ApiObject object) {
    return put(kind, object, "");
  }

  public ApiObject updateStatus(ResourceKind kind, ApiObject object) {
    return put(kind, object, "status");
  }

  ApiObject put(ResourceKind kind, ApiObject object, String subresource) {
    return registry.update(
        served(kind), object.namespace(), object.name(), subresource, object.tree(), options);
  }

  public ApiObject patch(ResourceKind kind, String name, UnaryOperator<Tree> patch) {
    return registry.patch(
        served(kind), kind.namespaced() ? "default" : "", name, "", patch, options);
  }

  /** Merges a change into an object in the namespace default. */
  public ApiObject merge(ResourceKind kind, String name, Tree change) {
    return patch(kind, name, tree -> MergePatch.apply(tree, change));
  }

  /** Changes the one version of {@link Samples#widgetDefinition}. */
  public void patchWidgetVersion(UnaryOperator<Tree> change) {
    patch(
        Kinds.CUSTOM_RESOURCE_DEFINITION,
        "widgets.example.com",
        tree ->
            tree.with(
                List.of("spec", "versions"),
                List.of(change.apply(tree.tree("spec").trees("versions").getFirst()))));
  }

  public Registry.Deleted delete(ResourceKind kind, String name) {
    return delete(kind, name, DeleteRequest.PLAIN);
  }

  Registry.Deleted delete(ResourceKind kind, String name, DeleteRequest request) {
    return registry.delete(served(kind), kind.namespaced() ? "default" : "", name, request);
  }

  static DeleteRequest grace(long seconds) {
    return new DeleteRequest(
        OptionalLong.of(seconds), Optional.empty(), Optional.empty(), Optional.empty(), false);
  }

  static DeleteRequest propagation(Propagation propagation) {
    return new DeleteRequest(
        OptionalLong.empty(), Optional.of(propagation), Optional.empty(), Optional.empty(), false);
  }

  public Optional<ApiObject> find(ResourceKind kind, String name) {
    return store.snapshot().get(kind.key("default", name));
  }

  public ApiObject get(ResourceKind kind, String name) {
    return find(kind, name).orElseThrow();
  }

  /** Collects every change of a kind from now on. */
  public List<Change> changes(ResourceKind kind) {
    var changes = new ArrayList<Change>();
    store.watch(kind, store.snapshot().revision(), changes::add);
    return changes;
  }

  /** Runs what must be refused for a reason, and returns the refusal. */
  public static ApiFailure refused(Reason reason, ThrowingCallable write) {
    ApiException refused = catchThrowableOfType(ApiException.class, write);
    assertThat(refused).as("a refusal because of " + reason).isNotNull();
    assertThat(refused.failure().reason()).as(refused.getMessage()).isEqualTo(reason);
    return refused.failure();
  }

  /** The fields that a refusal complains of. */
  public static List<String> fields(ApiFailure failure) {
    return failure.causes().stream().map(ApiFailure.Cause::field).toList();
  }

  /** An object that is refused because of a field. */
  public record Bad(ResourceKind kind, String text, String field) {
    @Override
    public String toString() {
      return text;
    }
  }

  public void assertRefused(Bad bad) {
    ApiFailure failure = refused(Reason.INVALID, () -> create(bad.kind(), bad.text()));

    assertThat(fields(failure)).contains(bad.field());
  }
}
