package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.Bodies;
import dev.sluice.apiserver.http.request.ListOptions;
import dev.sluice.apiserver.http.request.Query;
import dev.sluice.apiserver.http.request.Representation;
import dev.sluice.apiserver.http.request.Representations;
import dev.sluice.apiserver.http.request.ResourceRequest;
import dev.sluice.apiserver.http.request.ResponseEncoder;
import dev.sluice.apiserver.http.request.Selections;
import dev.sluice.apiserver.http.selector.Selection;
import dev.sluice.apiserver.registry.DeleteRequest;
import dev.sluice.apiserver.registry.Registry;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion.Propagation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The endpoint of delete, for one object or for a selection. */
public final class DeleteEndpoint {
  private static final ResourceKind OPTIONS =
      new ResourceKind("meta.k8s.io", "v1", "DeleteOptions", "", false);

  /** The kinds whose deletion returns the deleted object; others return a Status. */
  private static final Set<String> ANSWERED_WHOLE =
      Set.of(
          "pods",
          "services",
          "namespaces",
          "serviceaccounts",
          "resourcequotas",
          "persistentvolumes",
          "persistentvolumeclaims",
          "podtemplates",
          "storageclasses.storage.k8s.io");

  private final Registry registry;
  private final Selections selections;
  private final Lister lister;
  private final Representations views;

  public DeleteEndpoint(
      Registry registry, Selections selections, Lister lister, Representations views) {
    this.registry = registry;
    this.selections = selections;
    this.lister = lister;
    this.views = views;
  }

  ApiResponse.Whole delete(ResourceRequest operation) {
    Representation view = views.ofOne(operation);
    DeleteRequest request = request(operation);
    var deleted =
        registry.delete(operation.kind(), operation.namespace(), operation.name(), request);
    warnOfOrphans(operation, request);
    ResourceKind kind = operation.kind().kind();
    boolean whole = !deleted.gone() || ANSWERED_WHOLE.contains(kind.qualifiedPlural());
    return whole
        ? ResponseEncoder.whole(200, view.one(deleted.object()), view.choice(), operation.call())
        : ResponseEncoder.plain(200, success(kind, deleted.object()), operation.call());
  }

  ApiResponse.Whole deleteCollection(ResourceRequest operation) {
    Representation view = views.ofList(operation);
    DeleteRequest request = request(operation);
    ListOptions options = ListOptions.parse(operation.call().query()).forList();
    Selection selection = selections.of(operation);
    Lister.Page page =
        lister.list(operation.kind().kind(), operation.namespace(), selection, options);
    var deleted = new ArrayList<ApiObject>();
    for (ApiObject object : page.objects()) {
      try {
        registry.delete(operation.kind(), object.namespace(), object.name(), request);
        deleted.add(object);
      } catch (ApiException refused) {
        if (!refused.is(Reason.NOT_FOUND)) {
          throw refused;
        }
      }
    }
    if (!deleted.isEmpty()) {
      warnOfOrphans(operation, request);
    }
    return ResponseEncoder.whole(
        200,
        view.list(deleted, page.metadata(selection.isEmpty())),
        view.choice(),
        operation.call());
  }

  private static void warnOfOrphans(ResourceRequest operation, DeleteRequest request) {
    String plural = operation.kind().kind().qualifiedPlural();
    if (plural.equals(Kinds.JOB.qualifiedPlural()) && request.propagation().isEmpty()) {
      operation
          .call()
          .warn(
              "the pods of a Job stay when it is deleted without a propagationPolicy; ask for"
                  + " Background to delete them too, or for Orphan to say that they should stay");
    }
  }

  private static Tree success(ResourceKind kind, ApiObject object) {
    Tree details = Tree.of("name", object.name(), "kind", kind.plural(), "uid", object.uid());
    details = kind.group().isEmpty() ? details : details.with("group", kind.group());
    return Tree.of(
        "kind",
        "Status",
        "apiVersion",
        "v1",
        "metadata",
        Tree.EMPTY,
        "status",
        "Success",
        "details",
        details);
  }

  /** The options from the body, or from the query where the body has none. */
  private static DeleteRequest request(ResourceRequest operation) {
    Tree body = Bodies.deleteOptions(operation.call());
    Query query = operation.call().query();
    OptionalLong grace = body.whole("gracePeriodSeconds");
    List<String> dryRun = body.textItems("dryRun");
    if (dryRun.stream().anyMatch(value -> !value.equals("All"))) {
      throw invalid(Cause.notSupported("dryRun", dryRun.getFirst(), List.of("All")));
    }
    return new DeleteRequest(
        grace.isPresent() ? grace : query.whole("gracePeriodSeconds"),
        propagation(body, query),
        said(body.text("preconditions", "uid")),
        said(body.text("preconditions", "resourceVersion")),
        operation.dryRun() || !dryRun.isEmpty());
  }

  private static Optional<Propagation> propagation(Tree body, Query query) {
    String policy = said(body.text("propagationPolicy")).orElse(query.text("propagationPolicy"));
    boolean orphanSaid = body.has("orphanDependents") || query.has("orphanDependents");
    if (policy.isEmpty()) {
      boolean orphan = body.flag("orphanDependents") || query.flag("orphanDependents");
      return orphanSaid
          ? Optional.of(orphan ? Propagation.ORPHAN : Propagation.BACKGROUND)
          : Optional.empty();
    }
    if (orphanSaid) {
      throw invalid(
          Cause.invalid(
              "propagationPolicy",
              policy,
              "orphanDependents and propagationPolicy exclude each other"));
    }
    List<String> words = Arrays.stream(Propagation.values()).map(Propagation::word).toList();
    return Optional.of(
        Arrays.stream(Propagation.values())
            .filter(propagation -> propagation.word().equals(policy))
            .findFirst()
            .orElseThrow(() -> invalid(Cause.notSupported("propagationPolicy", policy, words))));
  }

  private static Optional<String> said(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  private static ApiException invalid(Cause cause) {
    return ApiFailure.invalid(OPTIONS, "", List.of(cause));
  }
}
