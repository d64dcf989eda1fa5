package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.Bodies;
import dev.sluice.apiserver.http.request.FieldManagers;
import dev.sluice.apiserver.http.request.Patches;
import dev.sluice.apiserver.http.request.Representation;
import dev.sluice.apiserver.http.request.Representations;
import dev.sluice.apiserver.http.request.ResourceRequest;
import dev.sluice.apiserver.http.request.ResponseEncoder;
import dev.sluice.apiserver.http.request.Verb;
import dev.sluice.apiserver.patch.PatchType;
import dev.sluice.apiserver.registry.Registry;
import dev.sluice.apiserver.registry.WriteOptions;
import dev.sluice.apiserver.security.Authorizer;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import dev.sluice.store.Store;
import java.util.function.UnaryOperator;

/** The endpoint of create, update and patch, for objects and their subresources. */
public final class WriteEndpoint {
  private final Registry registry;
  private final Store store;
  private final Representations views;
  private final Authorizer authorizer;

  public WriteEndpoint(
      Registry registry, Store store, Representations views, Authorizer authorizer) {
    this.registry = registry;
    this.store = store;
    this.views = views;
    this.authorizer = authorizer;
  }

  ApiResponse.Whole create(ResourceRequest operation) {
    WriteOptions options = operation.writeOptions();
    String subresource = operation.target().subresource();
    if (!subresource.isEmpty()) {
      Tree body = Bodies.object(operation, options);
      Tree answer =
          registry.post(
              operation.kind(),
              operation.namespace(),
              operation.name(),
              subresource,
              body,
              options);
      return ResponseEncoder.plain(201, answer, operation.call());
    }
    Representation view = views.ofOne(operation);
    Tree body = Bodies.object(operation, options);
    ApiObject created = registry.create(operation.kind(), operation.namespace(), body, options);
    return ResponseEncoder.whole(201, view.one(created), view.choice(), operation.call());
  }

  ApiResponse.Whole update(ResourceRequest operation) {
    Representation view = views.ofOne(operation);
    WriteOptions options = operation.writeOptions();
    Tree body = Bodies.object(operation, options);
    ObjectKey key = operation.kind().kind().key(operation.namespace(), operation.name());
    // Some kinds can be created by an update; for the others the registry would have returned an
    // error.
    boolean existed = store.get(key).isPresent();
    ApiObject updated =
        registry.update(
            operation.kind(),
            operation.namespace(),
            operation.name(),
            operation.target().subresource(),
            body,
            options);
    return answer(operation, view, existed ? 200 : 201, updated);
  }

  ApiResponse.Whole patch(ResourceRequest operation) {
    Representation view = views.ofOne(operation);
    WriteOptions options = operation.writeOptions();
    PatchType type = Patches.type(operation);
    if (type == PatchType.APPLY) {
      return apply(operation, view, options);
    }
    UnaryOperator<Tree> patch = Patches.of(type, operation, options);
    ApiObject patched =
        registry.patch(
            operation.kind(),
            operation.namespace(),
            operation.name(),
            operation.target().subresource(),
            patch,
            options);
    return answer(operation, view, 200, patched);
  }

  private ApiResponse.Whole apply(
      ResourceRequest operation, Representation view, WriteOptions options) {
    FieldManagers.requireNamed(operation);
    Tree configuration = Bodies.configuration(operation.call());
    Registry.Applied applied =
        registry.apply(
            operation.kind(),
            operation.namespace(),
            operation.name(),
            operation.target().subresource(),
            configuration,
            operation.call().query().flag("force"),
            options,
            () -> authorizer.check(operation.user(), operation.access(Verb.CREATE)));
    return answer(operation, view, applied.created() ? 201 : 200, applied.object());
  }

  private static ApiResponse.Whole answer(
      ResourceRequest operation, Representation view, int code, ApiObject object) {
    // A subresource such as scale returns a kind of its own, which has no representation here.
    boolean own = object.kind().equals(operation.kind().kind().kind());
    return own
        ? ResponseEncoder.whole(code, view.one(object), view.choice(), operation.call())
        : ResponseEncoder.plain(code, object.tree(), operation.call());
  }
}
