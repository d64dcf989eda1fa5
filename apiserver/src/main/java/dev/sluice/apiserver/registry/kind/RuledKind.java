package dev.sluice.apiserver.registry.kind;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import java.util.Optional;

/**
 * A served kind with the rules for its writes.
 *
 * @param scaling empty if it has no subresource {@code scale}
 */
public record RuledKind(
    ServedKind served,
    Traits traits,
    KindRules rules,
    SchemaCheck schema,
    Versions versions,
    Optional<Scaling> scaling) {

  public ResourceKind kind() {
    return served.kind();
  }

  /** The same kind with other rules. */
  public RuledKind ruledBy(KindRules others) {
    return new RuledKind(served, traits, others, schema, versions, scaling);
  }

  public ObjectKey key(String namespace, String name) {
    return kind().key(namespace, name);
  }

  public boolean has(String subresource) {
    return served.has(subresource);
  }

  /** Whether the status is a subresource. */
  public boolean splitsStatus() {
    return has("status");
  }

  /** The object with the defaults of the schema and of the rules. */
  public ApiObject withDefaults(ApiObject object) {
    ApiObject filled = served.builtIn() ? object : schemaDefaults(object);
    return rules.withDefaults(filled);
  }

  /** The same for an update of an object that has its defaults. */
  public ApiObject withDefaults(ApiObject before, ApiObject after) {
    return served.builtIn() && judgesAlike(before, after) ? after : withDefaults(after);
  }

  /** Whether two states of an object are equal for the defaults and the validation of the kind. */
  public boolean judgesAlike(ApiObject before, ApiObject after) {
    return rules.validated(before).equals(rules.validated(after));
  }

  private ApiObject schemaDefaults(ApiObject object) {
    return new ApiObject(served.schema().withDefaults(object.tree()));
  }

  /** The object in the version of this kind. */
  public ApiObject in(ApiObject stored) {
    return versions.in(kind(), stored);
  }
}
