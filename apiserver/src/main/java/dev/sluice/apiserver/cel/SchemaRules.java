package dev.sluice.apiserver.cel;

import dev.cel.common.types.CelType;
import dev.cel.compiler.CelCompiler;
import dev.sluice.apiserver.schema.FieldPath;
import dev.sluice.apiserver.schema.ListType;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The compiled rules of a schema, and the errors of those that cannot be compiled.
 *
 * <p>A schema is compiled once in the life of a process and shared by all servers in it: compiling
 * takes time, and all simulated clusters have the same definitions. Threads: safe.
 *
 * @param problems the errors; their fields are paths in the schema
 */
public record SchemaRules(Rules rules, List<Cause> problems) {
  /** Enough for the definitions of any real cluster; beyond it, schemas are compiled more often. */
  private static final int MAX_KNOWN = 512;

  private static final Map<Tree, SchemaRules> KNOWN = new ConcurrentHashMap<>();
  private static final String VALIDATIONS = "x-kubernetes-validations";

  public SchemaRules {
    problems = List.copyOf(problems);
  }

  /** The rules of the schema of a custom resource. */
  public static SchemaRules of(Schema root) {
    if (!root.hasRules()) {
      return new SchemaRules(Rules.none(root), List.of());
    }
    if (KNOWN.size() >= MAX_KNOWN) {
      KNOWN.clear();
    }
    return KNOWN.computeIfAbsent(root.toOpenApi(), ignored -> new Walk(root).compile());
  }

  /** One walk through a schema. */
  private static final class Walk {
    private final Schema root;
    private final SchemaTypes types;
    private final CelCompiler compiler;
    private final List<Cause> problems = new ArrayList<>();

    Walk(Schema root) {
      this.root = root;
      this.types = new SchemaTypes(root);
      this.compiler = Environment.compiler(types.provider());
    }

    SchemaRules compile() {
      return new SchemaRules(rules(root, true, FieldPath.ROOT), problems);
    }

    /** The rules at a node and below. */
    private Rules rules(Schema schema, boolean correlatable, FieldPath path) {
      if (!schema.hasRules()) {
        return Rules.none(schema);
      }
      boolean below = correlatable && !schema.atomicMap();
      var fields = new TreeMap<String, Rules>();
      schema
          .properties()
          .forEach((name, field) -> {
            Rules found = rules(field, below, path.child("properties").key(name));
            if (!found.isEmpty()) {
              fields.put(name, found);
            }
          });
      return new Rules(
          schema,
          own(schema, correlatable, path),
          Collections.unmodifiableSortedMap(fields),
          schema
              .additionalProperties()
              .map(value -> rules(value, below, path.child("additionalProperties")))
              .filter(found -> !found.isEmpty()),
          schema
              .items()
              .map(item ->
                  rules(
                      item, correlatable && schema.listType() == ListType.MAP, path.child("items")))
              .filter(found -> !found.isEmpty()));
    }

    private List<Rule> own(Schema schema, boolean correlatable, FieldPath path) {
      List<Tree> written = schema.toOpenApi().trees(VALIDATIONS);
      if (written.isEmpty()) {
        return List.of();
      }
      Optional<CelType> self = types.of(schema);
      if (self.isEmpty()) {
        problems.add(
            Cause.forbidden(
                path.child(VALIDATIONS).toString(),
                "rules can only be written for values whose type the schema declares"));
        return List.of();
      }
      var compile = new RuleCompiler(compiler, self.get(), schema, correlatable, problems);
      var rules = new ArrayList<Rule>();
      for (int i = 0; i < written.size(); i++) {
        compile.compile(written.get(i), path.child(VALIDATIONS).index(i)).ifPresent(rules::add);
      }
      return rules;
    }
  }
}
