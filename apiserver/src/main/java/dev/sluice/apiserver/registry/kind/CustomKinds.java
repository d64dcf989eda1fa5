package dev.sluice.apiserver.registry.kind;

import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.apiserver.registry.kind.ServedKind.Subresource;
import dev.sluice.apiserver.registry.rules.definition.CustomRules;
import dev.sluice.apiserver.registry.rules.definition.DefinitionRules;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.store.Change;
import dev.sluice.store.Snapshot;
import dev.sluice.store.Store;
import dev.sluice.store.Watch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of the stored CustomResourceDefinitions. It watches the store, so a kind is served as
 * soon as the write of its definition returns. Threads: safe.
 */
public final class CustomKinds implements AutoCloseable {
  private static final KindOrder ORDER = new KindOrder();
  private static final Column AGE =
      new Column(
          "Age", "date", "", "When the object was created", 0, ".metadata.creationTimestamp");

  /** A definition with its kinds and their storage version. */
  private record Entry(ApiObject definition, List<RuledKind> kinds, ResourceKind storage) {}

  private final ConcurrentSkipListMap<String, Entry> byDefinition = new ConcurrentSkipListMap<>();
  private final Versions versions;
  private final Watch watch;

  /** All kinds in order, sorted when a definition changes: every request reads them. */
  private volatile List<RuledKind> ordered = List.of();

  public CustomKinds(Store store, Versions versions) {
    this.versions = versions;
    Snapshot now = store.snapshot();
    now.list(Kinds.CUSTOM_RESOURCE_DEFINITION).forEach(this::put);
    this.watch = store.watch(Kinds.CUSTOM_RESOURCE_DEFINITION, now.revision(), this::follow);
  }

  private void follow(Change change) {
    if (change.after().isPresent()) {
      put(change.after().get());
    } else {
      byDefinition.remove(change.key().name());
      order();
    }
  }

  private void put(ApiObject definition) {
    Entry known = byDefinition.get(definition.name());
    byDefinition.put(definition.name(), entry(definition, known));
    order();
  }

  private void order() {
    ordered =
        byDefinition.values().stream()
            .flatMap(entry -> entry.kinds().stream())
            .sorted(Comparator.comparing(RuledKind::kind, ORDER))
            .toList();
  }

  private Entry entry(ApiObject definition, @Nullable Entry known) {
    if (known != null
        && known.definition().spec().equals(definition.spec())
        && established(known.definition()) == established(definition)) {
      return new Entry(definition, known.kinds(), known.storage());
    }
    List<RuledKind> kinds =
        established(definition)
            ? definition.spec().trees("versions").stream()
                .filter(version -> version.flag("served"))
                .map(version -> kind(definition.spec(), version))
                .toList()
            : List.of();
    return new Entry(
        definition, kinds, kindOf(definition.spec(), DefinitionRules.storageVersion(definition)));
  }

  private static boolean established(ApiObject definition) {
    return Condition.holds(definition.status(), "Established");
  }

  private RuledKind kind(Tree spec, Tree version) {
    ResourceKind kind = kindOf(spec, version.text("name"));
    Tree subresources = version.tree("subresources");
    Optional<Scaling> scaling =
        Optional.of(subresources.tree("scale")).filter(scale -> !scale.isEmpty()).map(Scaling::of);
    List<Column> columns =
        version.trees("additionalPrinterColumns").stream().map(CustomKinds::column).toList();
    var served =
        new ServedKind(
            kind,
            spec.text("names", "singular"),
            spec.textItems("names", "shortNames"),
            spec.textItems("names", "categories"),
            BuiltInKinds.VERBS,
            subresources(kind, subresources),
            false,
            Schema.customResource(version.tree("schema", "openAPIV3Schema")),
            columns.isEmpty() ? List.of(AGE) : columns);
    return new RuledKind(
        served,
        Traits.CUSTOM,
        new CustomRules(),
        new SchemaCheck(served.schema()),
        versions,
        scaling);
  }

  private static List<Subresource> subresources(ResourceKind kind, Tree declared) {
    var subresources = new ArrayList<Subresource>();
    if (declared.has("scale")) {
      subresources.add(BuiltInKinds.scale());
    }
    if (declared.has("status")) {
      subresources.add(BuiltInKinds.status(kind));
    }
    return subresources;
  }

  private static ResourceKind kindOf(Tree spec, String version) {
    return new ResourceKind(
        spec.text("group"),
        version,
        spec.text("names", "kind"),
        spec.text("names", "plural"),
        spec.text("scope").equals("Namespaced"));
  }

  private static Column column(Tree column) {
    return new Column(
        column.text("name"),
        column.text("type"),
        column.text("format"),
        column.text("description"),
        column.whole("priority").orElse(0),
        column.text("jsonPath"));
  }

  /** By group, then the version that clients prefer, then plural. */
  Stream<RuledKind> all() {
    return ordered.stream();
  }

  Optional<RuledKind> find(String group, String version, String plural) {
    return entry(group, plural).stream()
        .flatMap(entry -> entry.kinds().stream())
        .filter(ruled -> ruled.kind().version().equals(version))
        .findFirst();
  }

  /** The version in which the objects of a kind are stored. */
  ResourceKind storage(ResourceKind kind) {
    return entry(kind.group(), kind.plural()).map(Entry::storage).orElse(kind);
  }

  /** The warning for a version that its definition marks as deprecated. */
  public Optional<String> deprecation(ResourceKind kind) {
    return entry(kind.group(), kind.plural()).stream()
        .flatMap(entry -> entry.definition().spec().trees("versions").stream())
        .filter(version -> version.text("name").equals(kind.version()))
        .filter(version -> version.flag("deprecated"))
        .map(version ->
            version.has("deprecationWarning")
                ? version.text("deprecationWarning")
                : "%s %s is deprecated".formatted(kind.apiVersion(), kind.kind()))
        .findFirst();
  }

  /** A kind in its storage version, if that version is served. */
  public Optional<RuledKind> stored(ResourceKind kind) {
    ResourceKind storage = storage(kind);
    return find(storage.group(), storage.version(), storage.plural());
  }

  private Optional<Entry> entry(String group, String plural) {
    return Optional.ofNullable(byDefinition.get(plural + "." + group));
  }

  /** The kind of the objects of a definition, in the version in which they are stored. */
  public static ResourceKind kindOf(ApiObject definition) {
    return kindOf(definition.spec(), DefinitionRules.storageVersion(definition));
  }

  /** The key of the definition that a custom kind comes from. */
  public static ObjectKey definitionOf(ResourceKind kind) {
    return Kinds.CUSTOM_RESOURCE_DEFINITION.key(kind.qualifiedPlural());
  }

  @Override
  public void close() {
    watch.close();
  }
}
