package dev.sluice.apiserver.registry.kind;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;

/** A served kind with everything a write must know of it. */
public record RuledKind(
    ServedKind served, Traits traits, KindRules rules, SchemaCheck schema, Versions versions) {

  public ResourceKind kind() {
    return served.kind();
  }

  /** The same kind for who writes it by other rules. */
  public RuledKind ruledBy(KindRules others) {
    return new RuledKind(served, traits, others, schema, versions);
  }

  public ObjectKey key(String namespace, String name) {
    return kind().key(namespace, name);
  }

  public boolean has(String subresource) {
    return served.has(subresource);
  }

  /** Whether the status is written apart from the rest. */
  public boolean splitsStatus() {
    return has("status");
  }

  /** The object with what the schema and the rules of the kind say where it is silent. */
  public ApiObject withDefaults(ApiObject object) {
    ApiObject filled = served.builtIn() ? object : schemaDefaults(object);
    return rules.withDefaults(filled);
  }

  /** The same for an object that replaces another one, which has its defaults. */
  public ApiObject withDefaults(ApiObject before, ApiObject after) {
    return served.builtIn() && judgesAlike(before, after) ? after : withDefaults(after);
  }

  /** Whether two states of one object are the same to the kind's own defaults and checks. */
  public boolean judgesAlike(ApiObject before, ApiObject after) {
    return rules.judged(before).equals(rules.judged(after));
  }

  private ApiObject schemaDefaults(ApiObject object) {
    return new ApiObject(served.schema().withDefaults(object.tree()));
  }

  /** The object in the version of this kind. */
  public ApiObject in(ApiObject stored) {
    return versions.in(kind(), stored);
  }
}
