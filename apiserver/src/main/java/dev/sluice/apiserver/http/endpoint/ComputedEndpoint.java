package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.discovery.ComputedKinds;
import dev.sluice.apiserver.http.request.ApiRequest;
import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.Negotiation;
import dev.sluice.apiserver.http.request.Negotiation.Choice;
import dev.sluice.apiserver.http.request.Negotiation.Encoding;
import dev.sluice.apiserver.http.request.Negotiation.Form;
import dev.sluice.apiserver.http.request.RequestPath;
import dev.sluice.apiserver.http.request.ResponseEncoder;
import dev.sluice.apiserver.http.request.Verb;
import dev.sluice.apiserver.http.selector.LabelQuery;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.ComputedApi;
import java.util.EnumSet;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;

/** The endpoint of groups whose responses are computed rather than read from the store. */
public final class ComputedEndpoint {
  private final List<ComputedApi> apis;

  public ComputedEndpoint(List<ComputedApi> apis) {
    this.apis = List.copyOf(apis);
  }

  /** The kinds of these groups, for discovery. */
  List<ServedKind> kinds() {
    return ComputedKinds.of(apis);
  }

  boolean serves(RequestPath.Objects target) {
    return apis.stream().anyMatch(api -> api.group().equals(target.group()));
  }

  ApiResponse.Whole answer(ApiRequest call, Verb verb, RequestPath.Objects target) {
    for (ComputedApi api : apis) {
      for (ComputedApi.Part part : api.parts()) {
        if (leadsTo(part, target)) {
          return answer(call, verb, api, part, target);
        }
      }
    }
    throw ResourceEndpoint.noSuchResource();
  }

  private static boolean leadsTo(ComputedApi.Part part, RequestPath.Objects target) {
    ResourceKind of = part.of();
    return of.group().equals(target.group())
        && of.version().equals(target.version())
        && of.plural().equals(target.plural())
        && part.name().equals(target.subresource())
        && (of.namespaced() == !target.namespace().isEmpty() || isListOfAll(part, target));
  }

  private static boolean isListOfAll(ComputedApi.Part part, RequestPath.Objects target) {
    return part.isWhole() && target.namespace().isEmpty() && target.name().isEmpty();
  }

  private static ApiResponse.Whole answer(
      ApiRequest call,
      Verb verb,
      ComputedApi api,
      ComputedApi.Part part,
      RequestPath.Objects target) {
    if (verb != Verb.GET && verb != Verb.LIST) {
      throw Verb.notAllowed();
    }
    Choice choice =
        Negotiation.choose(call.header(HttpHeader.ACCEPT), EnumSet.of(Form.PLAIN), Encoding.TEXTS);
    var question =
        new ComputedApi.Request(part, target.namespace(), target.name(), call.query().values());
    Tree found = api.read(question);
    return ResponseEncoder.whole(
        200, verb == Verb.LIST ? selected(found, call) : found, choice, call);
  }

  private static Tree selected(Tree list, ApiRequest call) {
    if (!call.query().text("fieldSelector").isEmpty()) {
      throw ApiFailure.because(
          ApiFailure.Reason.BAD_REQUEST, "fieldSelector is not supported here; use labelSelector");
    }
    LabelSelector labels = LabelQuery.parse(call.query().text("labelSelector"));
    return list.with(
        "items",
        list.trees("items").stream()
            .filter(item -> labels.matches(item.tree("metadata").tree("labels")))
            .toList());
  }
}
