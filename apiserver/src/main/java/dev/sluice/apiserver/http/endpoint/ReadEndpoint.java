package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.ListOptions;
import dev.sluice.apiserver.http.request.Representation;
import dev.sluice.apiserver.http.request.Representations;
import dev.sluice.apiserver.http.request.ResourceRequest;
import dev.sluice.apiserver.http.request.ResponseEncoder;
import dev.sluice.apiserver.http.request.Selections;
import dev.sluice.apiserver.http.selector.Selection;
import dev.sluice.apiserver.http.watch.Freshness;
import dev.sluice.apiserver.registry.kind.Scaling;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;

/** The endpoint of get and list. */
public final class ReadEndpoint {
  private final Freshness freshness;
  private final Selections selections;
  private final Lister lister;
  private final Representations views;

  public ReadEndpoint(
      Freshness freshness, Selections selections, Lister lister, Representations views) {
    this.freshness = freshness;
    this.selections = selections;
    this.lister = lister;
    this.views = views;
  }

  ApiResponse.Whole get(ResourceRequest operation) {
    String subresource = operation.target().subresource();
    ObjectKey key = operation.kind().kind().key(operation.namespace(), operation.name());
    long revision = ListOptions.parse(operation.call().query()).revision().orElse(0);
    ApiObject object =
        freshness.notOlderThan(revision).get(key).orElseThrow(() -> ApiFailure.notFound(key));
    if (subresource.equals(Scaling.SUBRESOURCE)) {
      ApiObject served = views.registry().in(operation.kind().kind(), object);
      Tree scale = views.registry().shown(operation.kind(), subresource, served).tree();
      return ResponseEncoder.plain(200, scale, operation.call());
    }
    Representation view = views.ofOne(operation);
    return ResponseEncoder.whole(200, view.one(object), view.choice(), operation.call());
  }

  ApiResponse.Whole list(ResourceRequest operation) {
    Representation view = views.ofList(operation);
    ListOptions options = ListOptions.parse(operation.call().query()).forList();
    Selection selection = selections.of(operation);
    Lister.Page page =
        lister.list(operation.kind().kind(), operation.namespace(), selection, options);
    return ResponseEncoder.whole(
        200,
        view.list(page.objects(), page.metadata(selection.isEmpty())),
        view.choice(),
        operation.call());
  }
}
