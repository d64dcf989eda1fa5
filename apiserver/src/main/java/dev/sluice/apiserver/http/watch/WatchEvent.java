package dev.sluice.apiserver.http.watch;

import dev.sluice.apiserver.http.selector.Selection;
import dev.sluice.model.ApiObject;
import dev.sluice.store.Change;
import java.util.Optional;
import java.util.function.Predicate;

/** One event of a watch; the object has the revision of the change. */
public record WatchEvent(String type, ApiObject object) {
  static final String ADDED = "ADDED";
  private static final String MODIFIED = "MODIFIED";
  private static final String DELETED = "DELETED";

  long revision() {
    return Long.parseLong(object.resourceVersion());
  }

  /**
   * The event of a change for a watch with selectors, if there is one. An object that no longer
   * matches is DELETED for that watch, and one that starts to match is ADDED.
   */
  public static Optional<WatchEvent> of(Change change, Selection selection) {
    Predicate<ApiObject> matches = selection::matches;
    Optional<ApiObject> before = change.before().filter(matches);
    Optional<ApiObject> after = change.after().filter(matches);
    if (after.isPresent()) {
      return Optional.of(new WatchEvent(before.isPresent() ? MODIFIED : ADDED, after.get()));
    }
    // The last state, but at the revision of the change, so that no client resumes before it.
    String revision = Long.toString(change.revision());
    return before.map(
        object -> new WatchEvent(DELETED, object.withMetadata("resourceVersion", revision)));
  }
}
