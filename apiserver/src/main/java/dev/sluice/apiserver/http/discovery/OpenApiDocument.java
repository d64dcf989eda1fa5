package dev.sluice.apiserver.http.discovery;

import dev.sluice.apiserver.http.request.Patches;
import dev.sluice.apiserver.protobuf.BuiltInSchemas;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The OpenAPI v3 document of one group and version: its paths and the schemas of its kinds. */
final class OpenApiDocument {
  static final Tree INFO = Tree.of("title", "Sluice", "version", "v1.36.0");

  private static final String GVK = "x-kubernetes-group-version-kind";
  private static final Tree ANSWER = Tree.of("200", Tree.of("description", "OK"));

  private OpenApiDocument() {}

  static Tree of(ApiGroups.Version version) {
    Map<String, Tree> paths = new TreeMap<>();
    Map<String, Tree> schemas = new TreeMap<>();
    for (ServedKind kind : version.kinds()) {
      schemas.put(schemaName(kind.kind()), schema(kind));
      addPaths(version, kind, paths);
    }
    return Tree.of(
        "openapi",
        "3.0.0",
        "info",
        INFO,
        "paths",
        Tree.of(paths),
        "components",
        Tree.of("schemas", Tree.of(schemas)));
  }

  private static Tree schema(ServedKind served) {
    ResourceKind kind = served.kind();
    Tree schema =
        BuiltInSchemas.described(kind.apiVersion(), kind.kind())
            .filter(_ -> served.builtIn())
            .orElseGet(() -> served.schema().toOpenApi());
    Tree text = Tree.of("type", "string");
    for (String name : List.of("apiVersion", "kind")) {
      schema =
          schema.tree("properties").has(name)
              ? schema
              : schema.with(List.of("properties", name), text);
    }
    if (!schema.tree("properties", "metadata").has("properties")) {
      schema = schema.with(List.of("properties", "metadata"), BuiltInSchemas.describedMeta());
    }
    return schema.with("type", "object").with(GVK, List.of(gvk(kind)));
  }

  private static void addPaths(
      ApiGroups.Version version, ServedKind served, Map<String, Tree> paths) {
    ResourceKind kind = served.kind();
    String root = "/" + version.path();
    String scope = kind.namespaced() ? "/namespaces/{namespace}" : "";
    String collection = root + scope + "/" + kind.plural();
    if (kind.namespaced() && served.verbs().contains("list")) {
      paths.put(
          root + "/" + kind.plural(), Tree.of("get", operation(served, "list", kind, List.of())));
    }
    paths.put(collection, item(served, served.verbs(), kind, true));
    String one = collection + "/{name}";
    Tree operations = item(served, served.verbs(), kind, false);
    if (operations.size() > 1) {
      paths.put(one, operations);
    }
    for (ServedKind.Subresource subresource : served.subresources()) {
      Tree below = item(served, subresource.verbs(), subresource.body(), false);
      below =
          subresource.verbs().contains("create")
              ? below.with(
                  "post", operation(served, "post", subresource.body(), writeParameters(false)))
              : below;
      paths.put(one + "/" + subresource.name(), below);
    }
  }

  /** The operations on a collection, or on one object. */
  private static Tree item(
      ServedKind served, List<String> verbs, ResourceKind body, boolean collection) {
    Tree operations = Tree.of("parameters", pathParameters(served.kind(), collection));
    List<String[]> offered =
        collection
            ? Arrays.asList(
                new String[] {"list", "get"},
                new String[] {"create", "post"},
                new String[] {"deletecollection", "delete"})
            : Arrays.asList(
                new String[] {"get", "get"},
                new String[] {"update", "put"},
                new String[] {"patch", "patch"},
                new String[] {"delete", "delete"});
    for (String[] pair : offered) {
      String verb = pair[0];
      if (verbs.contains(verb)) {
        String action = verb.equals("create") ? "post" : verb.equals("update") ? "put" : verb;
        boolean writes = !verb.equals("get") && !verb.equals("list");
        List<Tree> parameters = writes ? writeParameters(!verb.contains("delete")) : List.of();
        operations = operations.with(pair[1], operation(served, action, body, parameters));
      }
    }
    return operations;
  }

  private static Tree operation(
      ServedKind served, String action, ResourceKind body, List<Tree> parameters) {
    Tree operation = Tree.of("x-kubernetes-action", action, GVK, gvk(body), "responses", ANSWER);
    operation =
        parameters.isEmpty() ? operation : operation.with("parameters", Items.of(parameters));
    return switch (action) {
      case "patch" ->
          operation.with(
              "requestBody", requestBody(contentTypes(served), Tree.of("type", "object")));
      case "post", "put" ->
          body.equals(served.kind())
              ? operation.with(
                  "requestBody", requestBody(List.of("application/json"), reference(body)))
              : operation;
      default -> operation;
    };
  }

  private static List<String> contentTypes(ServedKind served) {
    return Patches.taken(served).stream().map(type -> type.contentType()).toList();
  }

  private static Tree requestBody(List<String> types, Tree schema) {
    Map<String, Tree> content = new TreeMap<>();
    types.forEach(type -> content.put(type, Tree.of("schema", schema)));
    return Tree.of("required", true, "content", Tree.of(content));
  }

  private static Tree reference(ResourceKind kind) {
    return Tree.of("$ref", "#/components/schemas/" + schemaName(kind));
  }

  private static List<Tree> writeParameters(boolean validated) {
    var parameters = new ArrayList<Tree>();
    parameters.add(parameter("dryRun", "query"));
    parameters.add(parameter("fieldManager", "query"));
    if (validated) {
      parameters.add(parameter("fieldValidation", "query"));
    }
    return parameters;
  }

  private static Items pathParameters(ResourceKind kind, boolean collection) {
    var parameters = new ArrayList<Tree>();
    if (!collection) {
      parameters.add(parameter("name", "path"));
    }
    if (kind.namespaced()) {
      parameters.add(parameter("namespace", "path"));
    }
    return Items.of(parameters);
  }

  private static Tree parameter(String name, String in) {
    Tree parameter = Tree.of("name", name, "in", in, "schema", Tree.of("type", "string"));
    return in.equals("path") ? parameter.with("required", true) : parameter;
  }

  private static Tree gvk(ResourceKind kind) {
    return Tree.of("group", kind.group(), "version", kind.version(), "kind", kind.kind());
  }

  /** Such as {@code io.x-k8s.kueue.v1beta2.Workload}. */
  private static String schemaName(ResourceKind kind) {
    String group = kind.group().isEmpty() ? "core" : kind.group();
    List<String> labels = new ArrayList<>(Arrays.asList(group.split("\\.", -1)));
    Collections.reverse(labels);
    return String.join(".", labels) + "." + kind.version() + "." + kind.kind();
  }
}
