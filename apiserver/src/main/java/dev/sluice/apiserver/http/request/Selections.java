package dev.sluice.apiserver.http.request;

import dev.sluice.apiserver.http.selector.FieldSelector;
import dev.sluice.apiserver.http.selector.LabelQuery;
import dev.sluice.apiserver.http.selector.SelectableFields;
import dev.sluice.apiserver.http.selector.Selection;
import dev.sluice.apiserver.registry.Registry;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.store.Store;
import java.util.List;
import java.util.stream.Stream;

/** The parser of the selectors of a request. */
public record Selections(Registry registry, Store store) {

  public Selection of(ResourceRequest operation) {
    Query query = operation.call().query();
    String fields =
        operation.target().watched() && !operation.name().isEmpty()
            ? "metadata.name=" + operation.name()
            : query.text("fieldSelector");
    return new Selection(
        LabelQuery.parse(query.text("labelSelector")),
        FieldSelector.parse(
            fields, fields.isEmpty() ? none(operation) : fieldsOf(operation.kind())),
        object -> registry.in(operation.kind().kind(), object));
  }

  private static SelectableFields none(ResourceRequest operation) {
    return SelectableFields.of(operation.kind().kind(), List.of());
  }

  private SelectableFields fieldsOf(ServedKind served) {
    ResourceKind kind = served.kind();
    return served.builtIn()
        ? SelectableFields.ofBuiltIn(kind)
        : SelectableFields.of(kind, declared(kind).toList());
  }

  /** The selectable fields of a custom kind, as paths without a leading dot. */
  private Stream<String> declared(ResourceKind kind) {
    var definition = Kinds.CUSTOM_RESOURCE_DEFINITION.key(kind.qualifiedPlural());
    return store.get(definition).map(ApiObject::spec).stream()
        .flatMap(spec -> spec.trees("versions").stream())
        .filter(version -> version.text("name").equals(kind.version()))
        .flatMap(version -> version.trees("selectableFields").stream())
        .map(field -> field.text("jsonPath"))
        .map(path -> path.startsWith(".") ? path.substring(1) : path);
  }
}
