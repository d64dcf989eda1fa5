package dev.sluice.kubernetes.serving;

import dev.sluice.apiserver.security.Authorizer;
import dev.sluice.apiserver.security.Authorizer.Access;
import dev.sluice.apiserver.security.User;
import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;

/**
 * Questions to the API server whether a user may do something, so that its rules hold for what we
 * serve too.
 */
record AccessReviews(UncachedObjects objects) {
  private static final ResourceKind REVIEW =
      new ResourceKind(
          "authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews", false);

  /**
   * Throws unless the caller may do it.
   *
   * @throws ApiException also if the API server does not say
   */
  void check(Caller caller, Access access, String version) {
    Tree attributes =
        Tree.of(
            "verb",
            access.verb(),
            "group",
            access.group(),
            "version",
            version,
            "resource",
            access.resource(),
            "subresource",
            access.subresource(),
            "namespace",
            access.namespace(),
            "name",
            access.name());
    if (!isAllowed(caller, "resourceAttributes", attributes)) {
      throw Authorizer.refusal(new User(caller.user(), caller.groups()), access);
    }
  }

  /**
   * Throws unless the caller may access a path that is no resource.
   *
   * @throws ApiException also if the API server does not say
   */
  void checkPath(Caller caller, String verb, String path) {
    if (!isAllowed(caller, "nonResourceAttributes", Tree.of("verb", verb, "path", path))) {
      throw Authorizer.refusal(new User(caller.user(), caller.groups()), verb, path);
    }
  }

  private boolean isAllowed(Caller caller, String matter, Tree attributes) {
    Tree spec =
        Tree.of(
            "user",
            caller.user(),
            "groups",
            caller.groups(),
            "extra",
            Tree.of(caller.extra()),
            matter,
            attributes);
    ApiObject review =
        new ApiObject(Tree.of("apiVersion", REVIEW.apiVersion(), "kind", REVIEW.kind()));
    Tree status = objects.create(REVIEW.key(""), review.withSpec(spec)).status();
    return status.flag("allowed") && !status.flag("denied");
  }
}
