package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.Bodies;
import dev.sluice.apiserver.http.request.RequestPath;
import dev.sluice.apiserver.http.request.ResourceRequest;
import dev.sluice.apiserver.http.request.ResponseEncoder;
import dev.sluice.apiserver.http.request.Verb;
import dev.sluice.apiserver.protobuf.BuiltInSchemas;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.apiserver.security.Authorizer;
import dev.sluice.apiserver.security.User;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/** The reviews with which a caller asks about itself. They are never stored. */
final class Reviews {
  private static final ServedKind WHO_AM_I =
      kind("authentication.k8s.io", "SelfSubjectReview", "selfsubjectreviews");
  private static final ServedKind MAY_I =
      kind("authorization.k8s.io", "SelfSubjectAccessReview", "selfsubjectaccessreviews");
  static final List<ServedKind> KINDS = List.of(WHO_AM_I, MAY_I);

  private final Authorizer authorizer;

  Reviews(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  private static ServedKind kind(String group, String kind, String plural) {
    var resource = new ResourceKind(group, "v1", kind, plural, false);
    return new ServedKind(
        resource,
        plural.substring(0, plural.length() - 1),
        List.of(),
        List.of(),
        List.of(Verb.CREATE.word()),
        List.of(),
        true,
        BuiltInSchemas.find(resource.apiVersion(), kind).orElse(Schema.ANY),
        List.of());
  }

  static Optional<ServedKind> find(RequestPath.Objects target) {
    return KINDS.stream()
        .filter(served -> served.kind().group().equals(target.group()))
        .filter(served -> served.kind().version().equals(target.version()))
        .filter(served -> served.kind().plural().equals(target.plural()))
        .findFirst();
  }

  ApiResponse.Whole answer(ResourceRequest operation) {
    Tree question = Bodies.object(operation, operation.writeOptions());
    User user = operation.user();
    Tree status =
        operation.kind().equals(WHO_AM_I)
            ? Tree.of(
                "userInfo", Tree.of("username", user.name(), "groups", Items.of(user.groups())))
            : Tree.of("allowed", authorizer.allowsEverything(user));
    return ResponseEncoder.plain(
        201,
        question
            .with("apiVersion", operation.kind().kind().apiVersion())
            .with("kind", operation.kind().kind().kind())
            .with("status", status),
        operation.call());
  }
}
