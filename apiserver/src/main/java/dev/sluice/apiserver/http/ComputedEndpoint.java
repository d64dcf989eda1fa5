package dev.sluice.apiserver.http;

import dev.sluice.apiserver.http.Negotiation.Choice;
import dev.sluice.apiserver.http.Negotiation.Encoding;
import dev.sluice.apiserver.http.Negotiation.Form;
import dev.sluice.apiserver.registry.ServedKind;
import dev.sluice.apiserver.registry.ServedKind.Subresource;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.ComputedApi;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpHeader;

/** Answers for the groups whose answers are computed, which nothing in the store stands for. */
final class ComputedEndpoint {
  private final List<ComputedApi> apis;

  ComputedEndpoint(List<ComputedApi> apis) {
    this.apis = List.copyOf(apis);
  }

  /** What discovery tells of them. */
  List<ServedKind> kinds() {
    var parts = new LinkedHashMap<ResourceKind, List<Subresource>>();
    for (ComputedApi api : apis) {
      for (ComputedApi.Part part : api.parts()) {
        parts
            .computeIfAbsent(part.of(), _ -> new ArrayList<>())
            .add(new Subresource(part.name(), part.body(), List.of(Verb.GET.word())));
      }
    }
    return parts.entrySet().stream().map(one -> served(one.getKey(), one.getValue())).toList();
  }

  private static ServedKind served(ResourceKind kind, List<Subresource> parts) {
    return new ServedKind(
        kind,
        kind.kind().toLowerCase(Locale.ROOT),
        List.of(),
        List.of(),
        List.of(),
        parts,
        true,
        Schema.ANY,
        List.of());
  }

  boolean serves(Target.Objects target) {
    return apis.stream().anyMatch(api -> api.group().equals(target.group()));
  }

  Answer.Whole answer(Call call, Verb verb, Target.Objects target) {
    for (ComputedApi api : apis) {
      for (ComputedApi.Part part : api.parts()) {
        if (leadsTo(part, target)) {
          return answer(call, verb, api, part, target);
        }
      }
    }
    throw ObjectsEndpoint.noSuchResource();
  }

  private static boolean leadsTo(ComputedApi.Part part, Target.Objects target) {
    ResourceKind of = part.of();
    return of.group().equals(target.group())
        && of.version().equals(target.version())
        && of.plural().equals(target.plural())
        && of.namespaced() == !target.namespace().isEmpty()
        && part.name().equals(target.subresource());
  }

  private static Answer.Whole answer(
      Call call, Verb verb, ComputedApi api, ComputedApi.Part part, Target.Objects target) {
    if (verb != Verb.GET) {
      throw Verb.notAllowed();
    }
    Choice choice =
        Negotiation.choose(
            call.header(HttpHeader.ACCEPT), EnumSet.of(Form.PLAIN), EnumSet.allOf(Encoding.class));
    var question =
        new ComputedApi.Question(
            part, target.namespace(), target.name(), new TreeMap<>(call.query().values()));
    return Rendering.whole(200, api.read(question), choice, call);
  }
}
