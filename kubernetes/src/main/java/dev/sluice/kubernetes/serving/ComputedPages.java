package dev.sluice.kubernetes.serving;

import dev.sluice.apiserver.http.discovery.AggregatedDiscovery;
import dev.sluice.apiserver.http.discovery.ApiGroups;
import dev.sluice.apiserver.http.discovery.ComputedKinds;
import dev.sluice.apiserver.http.discovery.LegacyDiscovery;
import dev.sluice.apiserver.http.discovery.OpenApi;
import dev.sluice.apiserver.http.request.Query;
import dev.sluice.apiserver.security.Authorizer.Access;
import dev.sluice.kubernetes.serving.WebServer.Asked;
import dev.sluice.kubernetes.serving.WebServer.Reply;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.ComputedApi;
import dev.sluice.runtime.ComputedApi.Part;
import dev.sluice.runtime.ComputedApi.Request;
import dev.sluice.runtime.TimeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The pages of an aggregated API: discovery for every user that the API server speaks for, objects
 * for the users that may read them. Any other caller learns no more than that the server lives.
 *
 * <p>Threads: safe.
 */
final class ComputedPages implements WebServer.Pages {
  private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  private static final Tree OLD_OPEN_API =
      Tree.of(
          "swagger",
          "2.0",
          "info",
          Tree.of("title", "Sluice", "version", "v1"),
          "paths",
          Tree.EMPTY);

  /** Decides whether a caller may do something; throws if not. */
  interface Gate {
    void check(Caller caller, Access access, String version);
  }

  private final Supplier<ComputedApi> api;
  private final Supplier<FrontProxy> proxy;
  private final Gate gate;
  private final TimeSource time;
  private final OpenApi openApi = new OpenApi();

  /**
   * @param api what is served now
   * @param proxy whom to believe now
   */
  ComputedPages(Supplier<ComputedApi> api, Supplier<FrontProxy> proxy, Gate gate, TimeSource time) {
    this.api = api;
    this.proxy = proxy;
    this.gate = gate;
    this.time = time;
  }

  @Override
  public Reply answer(Asked asked) {
    if (HEALTH.contains(asked.path())) {
      return Reply.text(200, "ok");
    }
    try {
      Caller caller =
          proxy
              .get()
              .caller(asked, time.now())
              .orElseThrow(() -> ApiFailure.because(Reason.UNAUTHORIZED, "Unauthorized"));
      ComputedApi current = api.get();
      return document(asked, ApiGroups.of(ComputedKinds.of(List.of(current))))
          .orElseGet(() -> read(asked, caller, current));
    } catch (ApiException refused) {
      return Reply.json(refused.failure().reason().code(), refused.failure().status());
    }
  }

  private Optional<Reply> document(Asked asked, ApiGroups groups) {
    return switch (asked.path()) {
      case "/apis" -> Optional.of(groups(asked, groups));
      case "/openapi/v2" -> Optional.of(Reply.json(200, OLD_OPEN_API));
      case "/openapi/v3" -> Optional.of(Reply.json(200, openApi.root(groups)));
      default -> described(asked.path(), groups);
    };
  }

  private static Reply groups(Asked asked, ApiGroups groups) {
    return wantsAggregated(asked)
        ? new Reply(200, AGGREGATED, Json.bytes(AggregatedDiscovery.document(groups.groups())))
        : Reply.json(200, LegacyDiscovery.groupList(groups));
  }

  private static boolean wantsAggregated(Asked asked) {
    return asked.headers("Accept").stream()
        .flatMap(header -> Arrays.stream(header.split(",", -1)))
        .map(clause -> List.of(clause.replace(" ", "").split(";", -1)))
        .anyMatch(parts ->
            parts.containsAll(
                List.of("g=apidiscovery.k8s.io", "v=v2", "as=APIGroupDiscoveryList")));
  }

  private Optional<Reply> described(String path, ApiGroups groups) {
    for (ApiGroups.Group group : groups.groups()) {
      if (path.equals("/apis/" + group.name())) {
        return Optional.of(Reply.json(200, LegacyDiscovery.group(group)));
      }
    }
    for (ApiGroups.Version version : groups.versions()) {
      if (path.equals("/" + version.path())) {
        return Optional.of(Reply.json(200, LegacyDiscovery.resourceList(version)));
      }
      if (path.equals("/openapi/v3/" + version.path())) {
        return openApi
            .find(groups, version.path())
            .map(found -> new Reply(200, "application/json", found.json()));
      }
    }
    return Optional.empty();
  }

  private Reply read(Asked asked, Caller caller, ComputedApi current) {
    Request question =
        question(asked, current)
            .orElseThrow(() ->
                ApiFailure.because(
                    Reason.NOT_FOUND, "the server could not find the requested resource"));
    if (!asked.method().equals("GET")) {
      throw ApiFailure.because(
          Reason.METHOD_NOT_ALLOWED,
          "the server does not allow this method on the requested resource");
    }
    Part part = question.part();
    ResourceKind of = part.of();
    var access =
        new Access(
            "get", of.group(), of.plural(), part.name(), question.namespace(), question.name());
    gate.check(caller, access, of.version());
    return Reply.json(200, current.read(question));
  }

  /** What a path such as {@code /apis/GROUP/VERSION/namespaces/NS/PLURAL/NAME/PART} asks for. */
  private static Optional<Request> question(Asked asked, ComputedApi current) {
    List<String> path = List.of(asked.path().split("/", -1));
    for (Part part : current.parts()) {
      ResourceKind of = part.of();
      var start = new ArrayList<>(List.of("", "apis", of.group(), of.version()));
      if (of.namespaced() && path.size() > 5) {
        start.addAll(List.of("namespaces", path.get(5)));
      }
      start.add(of.plural());
      int name = start.size();
      if (path.size() == name + 2
          && path.subList(0, name).equals(start)
          && path.getLast().equals(part.name())) {
        String namespace = of.namespaced() ? path.get(5) : "";
        var query = Query.parse(asked.query()).values();
        return Optional.of(new Request(part, namespace, path.get(name), query));
      }
    }
    return Optional.empty();
  }
}
