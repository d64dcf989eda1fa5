package dev.sluice.apiserver.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionOverload;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code url("https://example.com/path")} and its parts. */
final class UrlFunctions {
  private static final CelType URL = OpaqueType.create("kubernetes.URL");

  private UrlFunctions() {}

  static void addTo(Library library) {
    library.global(
        "url",
        URL,
        SimpleType.STRING,
        String.class,
        text ->
            parse(text)
                .orElseThrow(() -> new IllegalArgumentException("\"" + text + "\" is no URL")));
    library.global(
        "isURL", SimpleType.BOOL, SimpleType.STRING, String.class, text -> parse(text).isPresent());
    part(library, "getScheme", url -> orEmpty(url.getScheme()));
    part(library, "getHost", url -> orEmpty(url.getAuthority()).replaceFirst("^.*@", ""));
    part(library, "getHostname", url -> orEmpty(url.getHost()).replaceAll("[\\[\\]]", ""));
    part(library, "getPort", url -> url.getPort() < 0 ? "" : Integer.toString(url.getPort()));
    part(library, "getEscapedPath", url -> orEmpty(url.getRawPath()));
    library.member(
        "getQuery",
        MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING)),
        URL,
        URI.class,
        UrlFunctions::query);
  }

  private static void part(Library library, String name, CelFunctionOverload.Unary<URI> body) {
    library.member(name, SimpleType.STRING, URL, URI.class, body);
  }

  /** Absolute URLs and absolute paths are URLs; relative references are not. */
  private static Optional<URI> parse(String text) {
    try {
      var url = new URI(text);
      boolean absolute = url.isAbsolute() || text.startsWith("/");
      return absolute ? Optional.of(url) : Optional.empty();
    } catch (URISyntaxException malformed) {
      return Optional.empty();
    }
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static Map<String, List<String>> query(URI url) {
    var query = new TreeMap<String, List<String>>();
    for (String pair : orEmpty(url.getRawQuery()).split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      if (!name.isEmpty()) {
        query.computeIfAbsent(decoded(name), ignored -> new ArrayList<>()).add(decoded(value));
      }
    }
    return query;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
