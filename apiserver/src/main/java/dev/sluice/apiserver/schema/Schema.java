package dev.sluice.apiserver.schema;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A parsed OpenAPI v3 schema, of a built-in kind or a custom resource. Parsing is lenient; {@link
 * StructuralRules} validates a schema. The CEL rules in it ({@code x-kubernetes-validations}) are
 * evaluated elsewhere: see {@link #hasRules}.
 *
 * <p>Threads: immutable, shared freely.
 */
public final class Schema {
  /** The schema that every value matches and that prunes nothing. */
  public static final Schema ANY =
      new Schema(Tree.of("x-kubernetes-preserve-unknown-fields", true), Origin.NESTED);

  /** The origin of a schema, which decides how it treats fields that it does not declare. */
  enum Origin {
    /** The root of a custom resource. */
    CUSTOM_RESOURCE,
    /** Any node below it. */
    NESTED,
    /** Any node of a built-in kind, where a null counts as absent and is dropped. */
    BUILT_IN
  }

  private final Tree openApi;
  private final Origin origin;
  private final Type type;
  private final boolean nullable;
  private final TimeValues.Form timeForm;
  private final boolean preservesUnknown;
  private final SortedMap<String, Schema> properties;

  /** The same in a hash map, for lookups of every field of every write. */
  private final Map<String, Schema> byName;

  private final @Nullable Schema additionalProperties;
  private final @Nullable Schema items;
  private final List<String> required;
  private final ListType listType;
  private final List<String> listMapKeys;
  private final List<Constraint> constraints;
  private final Alternatives alternatives;
  private final boolean hasRules;
  private final boolean embeddedResource;

  private Schema(Tree openApi, Origin origin) {
    Origin below = origin == Origin.BUILT_IN ? Origin.BUILT_IN : Origin.NESTED;
    this.openApi = openApi;
    this.origin = origin;
    this.type =
        openApi.flag("x-kubernetes-int-or-string")
            ? Type.INT_OR_STRING
            : Type.named(openApi.text("type")).orElse(Type.ANY);
    this.nullable = openApi.flag("nullable");
    this.timeForm = origin == Origin.BUILT_IN ? timeForm(openApi) : TimeValues.Form.ANY;
    this.preservesUnknown = openApi.flag("x-kubernetes-preserve-unknown-fields");
    var fields = new TreeMap<String, Schema>();
    openApi
        .tree("properties")
        .forEach((name, field) -> fields.put(name, new Schema(field.asTree(), below)));
    this.properties = Collections.unmodifiableSortedMap(fields);
    this.byName = Map.copyOf(fields);
    this.additionalProperties =
        switch (openApi.at("additionalProperties")) {
          case Tree tree -> new Schema(tree, below);
          case Value.Flag flag when flag == Value.Flag.TRUE -> ANY;
          case Value ignored -> null;
        };
    this.items = openApi.at("items") instanceof Tree tree ? new Schema(tree, below) : null;
    this.required = openApi.textItems("required");
    this.listType = listType(openApi);
    this.listMapKeys = openApi.textItems("x-kubernetes-list-map-keys");
    this.constraints = Constraints.of(openApi, listType, listMapKeys);
    this.alternatives = Alternatives.of(openApi, tree -> new Schema(tree, below));
    this.embeddedResource = openApi.flag("x-kubernetes-embedded-resource");
    this.hasRules =
        !openApi.items("x-kubernetes-validations").isEmpty()
            || Stream.concat(properties.values().stream(), elements()).anyMatch(Schema::hasRules);
  }

  private static TimeValues.Form timeForm(Tree openApi) {
    boolean any = !openApi.text("format").equals("date-time");
    return any
        ? TimeValues.Form.ANY
        : openApi.has("pattern") ? TimeValues.Form.MICROS : TimeValues.Form.SECONDS;
  }

  private static ListType listType(Tree openApi) {
    return switch (openApi.text("x-kubernetes-list-type").toLowerCase(Locale.ROOT)) {
      case "set" -> ListType.SET;
      case "map" -> ListType.MAP;
      default -> ListType.ATOMIC;
    };
  }

  /** The schema of a custom resource, whose apiVersion, kind and metadata are never pruned. */
  public static Schema customResource(Tree openApi) {
    return new Schema(openApi, Origin.CUSTOM_RESOURCE);
  }

  /** The schema of a built-in kind or a part of one, which declares every field. */
  public static Schema builtIn(Tree openApi) {
    return new Schema(openApi, Origin.BUILT_IN);
  }

  /** The schema of values of a primitive type. */
  public static Schema ofType(String type) {
    return nested(Tree.of("type", type));
  }

  /** The schema of one node, as it stands below the root of a custom resource. */
  static Schema nested(Tree openApi) {
    return new Schema(openApi, Origin.NESTED);
  }

  private Stream<Schema> elements() {
    return Stream.concat(Stream.ofNullable(additionalProperties), Stream.ofNullable(items));
  }

  /** The schema as it was written. */
  public Tree toOpenApi() {
    return openApi;
  }

  public Type type() {
    return type;
  }

  /** The format of strings; empty if the schema has none. */
  public String format() {
    return openApi.text("format");
  }

  public boolean nullable() {
    return nullable;
  }

  public boolean preservesUnknown() {
    return preservesUnknown;
  }

  public SortedMap<String, Schema> properties() {
    return properties;
  }

  /** The schema of a field: the declared one, or the one for all others. */
  public Optional<Schema> field(String name) {
    Schema declared = byName.get(name);
    return Optional.ofNullable(declared == null ? additionalProperties : declared);
  }

  /** The schema of the fields that {@link #properties} does not name. */
  public Optional<Schema> additionalProperties() {
    return Optional.ofNullable(additionalProperties);
  }

  /** The schema of the elements. */
  public Optional<Schema> items() {
    return Optional.ofNullable(items);
  }

  public List<String> required() {
    return required;
  }

  public Optional<Value> defaultValue() {
    return openApi.has("default") ? Optional.of(openApi.at("default")) : Optional.empty();
  }

  public ListType listType() {
    return listType;
  }

  public List<String> listMapKeys() {
    return listMapKeys;
  }

  /** The keys of an element of a {@link ListType#MAP} list. */
  public Items keysOf(Value element) {
    return Items.of(listMapKeys.stream().map(key -> element.asTree().at(key)).toList());
  }

  /** Whether an object is atomic for server-side apply. */
  public boolean atomicMap() {
    return openApi.text("x-kubernetes-map-type").equals("atomic");
  }

  /** Whether a strategic merge patch merges this list. */
  public boolean patchMerges() {
    return openApi.text("x-kubernetes-patch-strategy").startsWith("merge");
  }

  /** Whether a strategic merge patch replaces this object. */
  public boolean patchReplaces() {
    return openApi.text("x-kubernetes-patch-strategy").equals("replace");
  }

  /** The merge key of a list for strategic merge patches; empty for primitive values. */
  public String patchMergeKey() {
    return openApi.text("x-kubernetes-patch-merge-key");
  }

  /** Whether this schema or one inside it has CEL rules. */
  public boolean hasRules() {
    return hasRules;
  }

  /** Whether values are whole objects, with apiVersion, kind and metadata of their own. */
  public boolean isResource() {
    return origin == Origin.CUSTOM_RESOURCE || isEmbeddedResource();
  }

  boolean isEmbeddedResource() {
    return embeddedResource;
  }

  boolean dropsNulls() {
    return origin == Origin.BUILT_IN;
  }

  /** The normal form of timestamps; those of custom kinds have none. */
  TimeValues.Form timeForm() {
    return timeForm;
  }

  List<Constraint> constraints() {
    return constraints;
  }

  Alternatives alternatives() {
    return alternatives;
  }

  /** Prunes a tree. */
  public Pruning.Pruned prune(Tree tree) {
    return Pruning.prune(this, tree, Tree.EMPTY);
  }

  /** Prunes a tree, except for parts that are unchanged from {@code before}, which was pruned. */
  public Pruning.Pruned prune(Tree tree, Tree before) {
    return Pruning.prune(this, tree, before);
  }

  /** The tree with the schema's defaults; the same instance if none was missing. */
  public Tree withDefaults(Tree tree) {
    return Defaulting.apply(this, tree).asTree();
  }

  /** Validates a tree; empty if it is valid. */
  public List<Cause> validate(Tree tree) {
    return Validation.problems(this, tree, null, FieldPath.ROOT);
  }

  /** As {@link #validate}, but ignores errors that {@code before} has in the same place. */
  public List<Cause> validateUpdate(Tree before, Tree after) {
    return Validation.problems(this, after, before, FieldPath.ROOT);
  }
}
