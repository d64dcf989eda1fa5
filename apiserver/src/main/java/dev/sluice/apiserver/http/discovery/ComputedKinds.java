package dev.sluice.apiserver.http.discovery;

import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.apiserver.registry.kind.ServedKind.Subresource;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.ComputedApi;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;

/** The discovery entries of groups whose responses are computed. */
public final class ComputedKinds {
  private ComputedKinds() {}

  public static List<ServedKind> of(List<ComputedApi> apis) {
    var parts = new LinkedHashMap<ResourceKind, List<ComputedApi.Part>>();
    for (ComputedApi api : apis) {
      for (ComputedApi.Part part : api.parts()) {
        parts.computeIfAbsent(part.of(), _ -> new ArrayList<>()).add(part);
      }
    }
    return parts.entrySet().stream().map(one -> served(one.getKey(), one.getValue())).toList();
  }

  private static ServedKind served(ResourceKind kind, List<ComputedApi.Part> parts) {
    boolean whole = parts.stream().anyMatch(ComputedApi.Part::isWhole);
    return new ServedKind(
        kind,
        kind.kind().toLowerCase(Locale.ROOT),
        List.of(),
        List.of(),
        whole ? List.of("get", "list") : List.of(),
        parts.stream()
            .filter(part -> !part.isWhole())
            .map(part -> new Subresource(part.name(), part.body(), List.of("get")))
            .toList(),
        true,
        Schema.ANY,
        List.of());
  }
}
