package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.request.ContinueToken;
import dev.sluice.apiserver.http.request.ListOptions;
import dev.sluice.apiserver.http.request.ListOptions.Match;
import dev.sluice.apiserver.http.request.RefusalException;
import dev.sluice.apiserver.http.selector.Selection;
import dev.sluice.apiserver.http.watch.Freshness;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.store.CompactedException;
import dev.sluice.store.Snapshot;
import dev.sluice.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lists of objects, whole or in pages. All pages of a list show the store at one revision, that of
 * the first page.
 */
public final class Lister {
  private final Store store;
  private final Freshness freshness;

  /** One page of a list. */
  record Page(
      List<ApiObject> objects, long revision, Optional<ContinueToken> next, long remaining) {

    /**
     * The metadata of the list.
     *
     * @param counted whether it contains the number of remaining objects
     */
    Tree metadata(boolean counted) {
      Tree metadata = Tree.of("resourceVersion", Long.toString(revision));
      if (next.isEmpty()) {
        return metadata;
      }
      metadata = metadata.with("continue", next.get().text());
      return counted ? metadata.with("remainingItemCount", remaining) : metadata;
    }
  }

  public Lister(Store store, Freshness freshness) {
    this.store = store;
    this.freshness = freshness;
  }

  /** The objects of a kind in one namespace, or in all if the namespace is empty. */
  Page list(ResourceKind kind, String namespace, Selection selection, ListOptions options) {
    Snapshot snapshot = snapshot(options);
    // Version 0 requests any cached state, which is returned without pages.
    boolean paged = options.limit().isPresent() && options.revision().orElse(-1) != 0;
    paged |= options.limit().isPresent() && options.next().isPresent();
    long limit = paged ? options.limit().getAsLong() : Long.MAX_VALUE;
    var page = new ArrayList<ApiObject>();
    long remaining = 0;
    for (ApiObject object : candidates(snapshot, kind, namespace, selection)) {
      boolean due = options.next().map(token -> token.isBefore(object)).orElse(true);
      if (!due || !selection.matches(object)) {
        continue;
      }
      if (page.size() < limit) {
        page.add(object);
      } else {
        remaining++;
      }
    }
    Optional<ContinueToken> next =
        remaining == 0
            ? Optional.empty()
            : Optional.of(ContinueToken.after(page.getLast(), snapshot.revision()));
    return new Page(page, snapshot.revision(), next, remaining);
  }

  /** The objects that can match: all of them, or the one whose name is selected. */
  static List<ApiObject> candidates(
      Snapshot snapshot, ResourceKind kind, String namespace, Selection selection) {
    Optional<String> name = selection.fields().name();
    if (name.isPresent() && (!kind.namespaced() || !namespace.isEmpty())) {
      return snapshot.get(kind.key(namespace, name.get())).stream().toList();
    }
    return namespace.isEmpty() ? snapshot.list(kind) : snapshot.list(kind, namespace);
  }

  private Snapshot snapshot(ListOptions options) {
    if (options.next().isPresent()) {
      return continued(options.next().get());
    }
    long revision = options.revision().orElse(0);
    boolean exact =
        options.match() == Match.EXACT
            || (options.match() == Match.UNSAID && options.limit().isPresent());
    Snapshot newest = freshness.notOlderThan(revision);
    return revision > 0 && exact ? at(revision) : newest;
  }

  private Snapshot at(long revision) {
    try {
      return store.snapshot(revision);
    } catch (CompactedException gone) {
      throw ApiFailure.because(
          Reason.EXPIRED,
          "The resourceVersion for the provided list is too old: " + gone.getMessage());
    }
  }

  private Snapshot continued(ContinueToken token) {
    if (token.revision() == ContinueToken.NEWEST) {
      return store.snapshot();
    }
    try {
      return store.snapshot(token.revision());
    } catch (CompactedException gone) {
      throw expired(token);
    } catch (IllegalArgumentException future) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST,
          "continue key is not valid: revision %d has not happened".formatted(token.revision()));
    }
  }

  /**
   * The error for a continue token whose revision was compacted, with a token to continue from the
   * newest one.
   */
  private static RefusalException expired(ContinueToken token) {
    String message =
        ("The provided continue parameter is too old: revision %d is no longer kept. Start the list"
                + " again, or go on with the new continue token, which may skip or repeat what has"
                + " changed since.")
            .formatted(token.revision());
    Tree status = ApiFailure.because(Reason.EXPIRED, message).failure().status();
    return new RefusalException(
        status.with("metadata", Tree.of("continue", token.atNewest().text())));
  }
}
