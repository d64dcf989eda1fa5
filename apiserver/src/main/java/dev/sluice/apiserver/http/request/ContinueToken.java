package dev.sluice.apiserver.http.request;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The position at which the next page of a list starts: after an object, at a revision.
 *
 * @param revision the revision of the first page; {@link #NEWEST} for the newest one
 */
public record ContinueToken(long revision, String namespace, String name) {
  public static final long NEWEST = -1;

  public static ContinueToken after(ApiObject last, long revision) {
    return new ContinueToken(revision, last.namespace(), last.name());
  }

  static ContinueToken parse(String text) {
    try {
      byte[] json = Base64.getUrlDecoder().decode(text);
      Tree token = Json.parseTree(json);
      if (token.whole("rv").isPresent() && token.has("name")) {
        return new ContinueToken(
            token.whole("rv").getAsLong(), token.text("namespace"), token.text("name"));
      }
    } catch (IllegalArgumentException | MalformedText malformed) {
      // Reported below, as for a token of another server.
    }
    throw ApiFailure.because(
        Reason.BAD_REQUEST,
        "continue key is not valid: \"%s\" was not given out by this server".formatted(text));
  }

  /** The token for the newest revision, where the original one was compacted. */
  public ContinueToken atNewest() {
    return new ContinueToken(NEWEST, namespace, name);
  }

  public boolean isBefore(ApiObject object) {
    int byNamespace = namespace.compareTo(object.namespace());
    return byNamespace != 0 ? byNamespace < 0 : name.compareTo(object.name()) < 0;
  }

  public String text() {
    Tree token = Tree.of("v", "sluice/1", "rv", revision, "namespace", namespace, "name", name);
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Json.write(token).getBytes(StandardCharsets.UTF_8));
  }
}
