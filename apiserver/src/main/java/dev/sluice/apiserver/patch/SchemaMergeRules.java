package dev.sluice.apiserver.patch;

import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.patch.MergeRules;

/**
 * The merge strategies and merge keys that a schema declares; what it does not know is replaced.
 */
public record SchemaMergeRules(Schema schema) implements MergeRules {

  @Override
  public MergeRules field(String name) {
    return new SchemaMergeRules(schema.field(name).orElse(Schema.ANY));
  }

  @Override
  public MergeRules elements() {
    return new SchemaMergeRules(schema.items().orElse(Schema.ANY));
  }

  @Override
  public boolean replacesObject() {
    return schema.patchReplaces();
  }

  @Override
  public boolean mergesList() {
    return schema.patchMerges();
  }

  @Override
  public String mergeKey() {
    return schema.patchMergeKey();
  }
}
