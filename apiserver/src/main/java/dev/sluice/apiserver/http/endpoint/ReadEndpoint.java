package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.request.Answer;
import dev.sluice.apiserver.http.request.ListOptions;
import dev.sluice.apiserver.http.request.Operation;
import dev.sluice.apiserver.http.request.Rendering;
import dev.sluice.apiserver.http.request.Selections;
import dev.sluice.apiserver.http.request.View;
import dev.sluice.apiserver.http.request.Views;
import dev.sluice.apiserver.http.selector.Selection;
import dev.sluice.apiserver.http.watch.Freshness;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;

/** Answers get and list. */
public final class ReadEndpoint {
  private final Freshness freshness;
  private final Selections selections;
  private final Lister lister;
  private final Views views;

  public ReadEndpoint(Freshness freshness, Selections selections, Lister lister, Views views) {
    this.freshness = freshness;
    this.selections = selections;
    this.lister = lister;
    this.views = views;
  }

  Answer.Whole get(Operation operation) {
    View view = views.ofOne(operation);
    ObjectKey key = operation.kind().kind().key(operation.namespace(), operation.name());
    long revision = ListOptions.parse(operation.call().query()).revision().orElse(0);
    ApiObject object =
        freshness.notOlderThan(revision).get(key).orElseThrow(() -> ApiFailure.notFound(key));
    return Rendering.whole(200, view.one(object), view.choice(), operation.call());
  }

  Answer.Whole list(Operation operation) {
    View view = views.ofList(operation);
    ListOptions options = ListOptions.parse(operation.call().query()).forList();
    Selection selection = selections.of(operation);
    Lister.Page page =
        lister.list(operation.kind().kind(), operation.namespace(), selection, options);
    return Rendering.whole(
        200,
        view.list(page.objects(), page.metadata(selection.isEmpty())),
        view.choice(),
        operation.call());
  }
}
