package dev.sluice.apiserver.http.watch;

import dev.sluice.apiserver.http.selector.Selection;
import dev.sluice.model.ApiObject;
import dev.sluice.store.Change;
import java.util.Optional;
import java.util.function.Predicate;

/** What a watch tells of one change; the object is at the revision of the change. */
public record WatchEvent(String type, ApiObject object) {
  static final String ADDED = "ADDED";
  private static final String MODIFIED = "MODIFIED";
  private static final String DELETED = "DELETED";

  long revision() {
    return Long.parseLong(object.resourceVersion());
  }

  /**
   * What a watcher of a selection sees of a change, if anything. An object that leaves the
   * selection is gone for that watcher, and one that enters it is new.
   */
  public static Optional<WatchEvent> of(Change change, Selection selection) {
    Predicate<ApiObject> matches = selection::matches;
    Optional<ApiObject> before = change.before().filter(matches);
    Optional<ApiObject> after = change.after().filter(matches);
    if (after.isPresent()) {
      return Optional.of(new WatchEvent(before.isPresent() ? MODIFIED : ADDED, after.get()));
    }
    // As it was last, but at the revision of the change, so that nobody resumes before it.
    String revision = Long.toString(change.revision());
    return before.map(
        object -> new WatchEvent(DELETED, object.withMetadata("resourceVersion", revision)));
  }
}
