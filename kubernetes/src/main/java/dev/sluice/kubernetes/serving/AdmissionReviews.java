package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.TreeConversion;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.AdmissionHook;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Answers the AdmissionReviews that an API server sends about one kind, with what the hooks of that
 * kind say. Every operation that no hook has a say in is allowed.
 *
 * <p>Threads: safe, as the hooks are.
 */
record AdmissionReviews(List<AdmissionHook> hooks) {

  AdmissionReviews {
    hooks = List.copyOf(hooks);
  }

  /** Completes the object: the answer carries a patch if a hook changes it. */
  Tree mutate(Tree review) {
    return answered(
        review,
        request -> {
          ApiObject object = object(request, "object");
          ApiObject changed = object;
          for (AdmissionHook hook : hooks) {
            changed = mutated(hook, request, changed);
          }
          return patch(PatchOperations.between(object.tree(), changed.tree()));
        });
  }

  private static ApiObject mutated(AdmissionHook hook, Tree request, ApiObject object) {
    return switch (moment(request)) {
      case "CREATE" -> hook.onCreate(object);
      case "UPDATE" -> hook.onUpdate(object(request, "oldObject"), object);
      default -> object;
    };
  }

  private static Tree patch(Items operations) {
    if (operations.values().isEmpty()) {
      return Tree.EMPTY;
    }
    String encoded = Base64.getEncoder().encodeToString(Json.bytes(operations));
    return Tree.of("patchType", "JSONPatch", "patch", encoded);
  }

  /** Accepts or refuses the object. */
  Tree validate(Tree review) {
    return answered(
        review,
        request -> {
          hooks.forEach(hook -> check(hook, request));
          return warnings(request);
        });
  }

  private Tree warnings(Tree request) {
    var warnings = new ArrayList<String>();
    if (List.of("CREATE", "UPDATE").contains(moment(request))) {
      hooks.forEach(hook -> warnings.addAll(hook.warnings(object(request, "object"))));
    }
    return warnings.isEmpty() ? Tree.EMPTY : Tree.of("warnings", warnings);
  }

  private static void check(AdmissionHook hook, Tree request) {
    ApiObject object = object(request, "object");
    switch (moment(request)) {
      case "CREATE" -> hook.checkCreate(object);
      case "UPDATE" -> hook.checkUpdate(object(request, "oldObject"), object);
      case "UPDATE status" -> hook.checkStatus(object(request, "oldObject"), object);
      default -> {}
    }
  }

  /** The operation, and the subresource it concerns if it concerns one. */
  private static String moment(Tree request) {
    return (request.text("operation") + " " + request.text("subResource")).strip();
  }

  private static ApiObject object(Tree request, String field) {
    return TreeConversion.object(request.tree(field));
  }

  private interface ReviewRule {
    /** What to answer beyond that it is allowed. */
    Tree allowed(Tree request);
  }

  private static Tree answered(Tree review, ReviewRule question) {
    Tree request = review.tree("request");
    Tree response = Tree.of("uid", request.text("uid"));
    try {
      Tree more = question.allowed(request);
      response = response.with("allowed", true);
      for (String name : more.names()) {
        response = response.with(name, more.at(name));
      }
    } catch (ApiException refused) {
      response = response.with("allowed", false).with("status", refused.failure().status());
    }
    return Tree.of(
        "apiVersion", "admission.k8s.io/v1", "kind", "AdmissionReview", "response", response);
  }
}
