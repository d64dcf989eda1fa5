package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.discovery.AggregatedDiscovery;
import dev.sluice.apiserver.http.discovery.ApiGroups;
import dev.sluice.apiserver.http.discovery.Hashes;
import dev.sluice.apiserver.http.discovery.LegacyDiscovery;
import dev.sluice.apiserver.http.discovery.OpenApi;
import dev.sluice.apiserver.http.discovery.Swagger;
import dev.sluice.apiserver.http.request.ApiRequest;
import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.Negotiation;
import dev.sluice.apiserver.http.request.Negotiation.Choice;
import dev.sluice.apiserver.http.request.Negotiation.Encoding;
import dev.sluice.apiserver.http.request.Negotiation.Form;
import dev.sluice.apiserver.http.request.ResponseEncoder;
import dev.sluice.apiserver.http.request.Verb;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.MetricPages;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;

/** The endpoint of paths without objects: discovery, OpenAPI, version, health and metrics. */
public final class DiscoveryEndpoint {
  private static final Set<Encoding> ENCODINGS = Encoding.TEXTS;
  private static final List<String> ROOTS =
      List.of(
          "/api",
          "/apis",
          "/healthz",
          "/livez",
          "/metrics",
          "/openapi/v2",
          "/openapi/v3",
          "/readyz",
          "/version");
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPENAPI = "/openapi/v3/";

  private final Supplier<List<ServedKind>> kinds;
  private final Health health;
  private final Supplier<String> metrics;
  private final MetricPages pages;
  private final OpenApi openApi = new OpenApi();

  /**
   * @param metrics the metrics of {@code /metrics}, in the format of Prometheus
   * @param pages metrics at other paths
   */
  public DiscoveryEndpoint(
      Supplier<List<ServedKind>> kinds,
      Health health,
      Supplier<String> metrics,
      MetricPages pages) {
    this.kinds = kinds;
    this.health = health;
    this.metrics = metrics;
    this.pages = pages;
  }

  public ApiResponse.Whole answer(ApiRequest call, String path) {
    if (!call.method().equals("GET")) {
      throw Verb.notAllowed();
    }
    return switch (path) {
      case "/" -> plain(call, Tree.of("paths", ROOTS));
      case "/version" -> plain(call, ServerVersion.DOCUMENT);
      case "/metrics" -> prometheus(metrics.get());
      case "/api" -> core(call);
      case "/apis" -> groups(call);
      case "/openapi/v2" -> cached(call, swagger(call));
      case "/openapi/v3" -> cached(call, plain(call, openApi.root(groups())));
      default ->
          health
              .answer(path, call.query())
              .or(() -> openApi(call, path))
              .or(() -> legacy(call, path))
              .or(() -> pages.page(path).map(DiscoveryEndpoint::prometheus))
              .orElseGet(() -> ApiResponse.Whole.text(404, "404 page not found\n"));
    };
  }

  private static ApiResponse.Whole prometheus(String text) {
    return new ApiResponse.Whole(200, PROMETHEUS, text.getBytes(StandardCharsets.UTF_8), List.of());
  }

  private ApiGroups groups() {
    return ApiGroups.of(kinds.get());
  }

  private static ApiResponse.Whole plain(ApiRequest call, Tree document) {
    Choice choice =
        Negotiation.choose(call.header(HttpHeader.ACCEPT), EnumSet.of(Form.PLAIN), ENCODINGS);
    return ResponseEncoder.whole(200, document, choice, call);
  }

  private ApiResponse.Whole core(ApiRequest call) {
    return discovery(
        call,
        groups -> AggregatedDiscovery.document(groups.find("").stream().toList()),
        groups -> LegacyDiscovery.coreVersions(call.serverAddress()));
  }

  private ApiResponse.Whole groups(ApiRequest call) {
    return discovery(
        call,
        groups ->
            AggregatedDiscovery.document(
                groups.groups().stream().filter(group -> !group.name().isEmpty()).toList()),
        LegacyDiscovery::groupList);
  }

  private ApiResponse.Whole discovery(
      ApiRequest call, Function<ApiGroups, Tree> aggregated, Function<ApiGroups, Tree> legacy) {
    Choice choice =
        Negotiation.choose(
            call.header(HttpHeader.ACCEPT), EnumSet.of(Form.PLAIN, Form.DISCOVERY), ENCODINGS);
    ApiGroups groups = groups();
    return choice.form() == Form.DISCOVERY
        ? cached(call, ResponseEncoder.whole(200, aggregated.apply(groups), choice, call))
        : ResponseEncoder.whole(200, legacy.apply(groups), choice, call);
  }

  private Optional<ApiResponse.Whole> legacy(ApiRequest call, String path) {
    String[] parts = path.substring(1).split("/", -1);
    ApiGroups groups = groups();
    if (parts.length == 2 && parts[0].equals("api")) {
      return groups.find("", parts[1]).map(found -> resources(call, found));
    }
    if (parts.length == 2 && parts[0].equals("apis")) {
      return groups.find(parts[1]).map(found -> plain(call, LegacyDiscovery.group(found)));
    }
    return parts.length == 3 && parts[0].equals("apis")
        ? groups.find(parts[1], parts[2]).map(found -> resources(call, found))
        : Optional.empty();
  }

  private static ApiResponse.Whole resources(ApiRequest call, ApiGroups.Version version) {
    return plain(call, LegacyDiscovery.resourceList(version));
  }

  private ApiResponse.Whole swagger(ApiRequest call) {
    String accept = call.header(HttpHeader.ACCEPT);
    if (Swagger.isProtobuf(accept)) {
      return new ApiResponse.Whole(200, Swagger.PROTOBUF, Swagger.protobuf(), List.of());
    }
    Negotiation.choose(accept, EnumSet.of(Form.PLAIN), EnumSet.of(Encoding.JSON));
    return new ApiResponse.Whole(200, Encoding.JSON.type(), Swagger.json(groups()), List.of());
  }

  private Optional<ApiResponse.Whole> openApi(ApiRequest call, String path) {
    return path.startsWith(OPENAPI)
        ? openApi
            .find(groups(), path.substring(OPENAPI.length()))
            .map(document -> openApi(call, path, document))
        : Optional.empty();
  }

  private static ApiResponse.Whole openApi(
      ApiRequest call, String path, OpenApi.Document document) {
    String asked = call.query().text("hash");
    if (!asked.isEmpty() && !asked.equals(document.hash())) {
      return ApiResponse.Whole.text(301, "").with("Location", path + "?hash=" + document.hash());
    }
    Negotiation.choose(
        call.header(HttpHeader.ACCEPT), EnumSet.of(Form.PLAIN), EnumSet.of(Encoding.JSON));
    String etag = "\"" + document.hash() + "\"";
    var found =
        new ApiResponse.Whole(200, Encoding.JSON.type(), document.json(), List.of())
            .with("ETag", etag)
            .with("Vary", "Accept")
            .with("Cache-Control", asked.isEmpty() ? "no-cache, private" : "public, immutable");
    return unlessKnown(call, found, etag);
  }

  private static ApiResponse.Whole cached(ApiRequest call, ApiResponse.Whole document) {
    String etag = "\"" + Hashes.of(document.body()) + "\"";
    return unlessKnown(
        call,
        document.with("ETag", etag).with("Vary", "Accept").with("Cache-Control", "public"),
        etag);
  }

  private static ApiResponse.Whole unlessKnown(
      ApiRequest call, ApiResponse.Whole document, String etag) {
    return call.header(HttpHeader.IF_NONE_MATCH).contains(etag)
        ? new ApiResponse.Whole(304, document.contentType(), new byte[0], document.headers())
        : document;
  }
}
