package dev.sluice.apiserver.http.request;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ResourceKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The options of a list or a watch, except its selectors.
 *
 * @param revision the value of {@code resourceVersion}, empty if absent
 * @param limit the size of a page, empty for no limit
 */
public record ListOptions(
    OptionalLong revision,
    Match match,
    OptionalLong limit,
    Optional<ContinueToken> next,
    Optional<Boolean> initialEvents,
    boolean bookmarks,
    Optional<Duration> timeout) {

  /** The meaning of a revision: {@code resourceVersionMatch}. */
  public enum Match {
    UNSAID,
    EXACT,
    NOT_OLDER
  }

  private static final ResourceKind SELF =
      new ResourceKind("meta.k8s.io", "v1", "ListOptions", "listoptions", false);

  public static ListOptions parse(Query query) {
    var options =
        new ListOptions(
            revision(query),
            match(query.text("resourceVersionMatch")),
            positive(query.whole("limit")),
            Optional.of(query.text("continue")).filter(t -> !t.isEmpty()).map(ContinueToken::parse),
            Optional.of(query.text("sendInitialEvents"))
                .filter(text -> !text.isEmpty())
                .map(text -> query.flag("sendInitialEvents")),
            query.flag("allowWatchBookmarks"),
            positive(query.whole("timeoutSeconds")).stream()
                .mapToObj(Duration::ofSeconds)
                .findFirst());
    return options;
  }

  /** These options, validated for a list. */
  public ListOptions forList() {
    if (initialEvents.isPresent()) {
      throw forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
    }
    if (next.isPresent()) {
      checkContinued();
    }
    if (match != Match.UNSAID && next.isEmpty() && revision.isEmpty()) {
      throw forbidden(
          "resourceVersionMatch", "resourceVersionMatch needs a resourceVersion to match");
    }
    if (match == Match.EXACT && revision.orElse(-1) == 0) {
      throw forbidden(
          "resourceVersionMatch",
          "resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"");
    }
    return this;
  }

  private void checkContinued() {
    if (revision.orElse(0) != 0) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST, "specifying resourceVersion is not allowed when using continue");
    }
    if (match != Match.UNSAID) {
      throw forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden with continue");
    }
  }

  /** These options, validated for a watch. */
  public ListOptions forWatch() {
    if (initialEvents.isPresent() && match != Match.NOT_OLDER) {
      throw forbidden(
          "resourceVersionMatch",
          "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
    if (initialEvents.isEmpty() && match != Match.UNSAID) {
      throw forbidden(
          "resourceVersionMatch",
          "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    }
    return this;
  }

  private static OptionalLong revision(Query query) {
    OptionalLong revision = query.whole("resourceVersion");
    if (revision.orElse(0) < 0) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST,
          "resourceVersion must not be negative, but is " + revision.getAsLong());
    }
    return revision;
  }

  private static OptionalLong positive(OptionalLong number) {
    return number.orElse(0) > 0 ? number : OptionalLong.empty();
  }

  private static Match match(String text) {
    return switch (text) {
      case "" -> Match.UNSAID;
      case "Exact" -> Match.EXACT;
      case "NotOlderThan" -> Match.NOT_OLDER;
      default ->
          throw ApiFailure.invalid(
              SELF,
              "",
              List.of(
                  Cause.notSupported(
                      "resourceVersionMatch", text, List.of("Exact", "NotOlderThan"))));
    };
  }

  private static RuntimeException forbidden(String field, String why) {
    return ApiFailure.invalid(SELF, "", List.of(Cause.forbidden(field, why)));
  }
}
