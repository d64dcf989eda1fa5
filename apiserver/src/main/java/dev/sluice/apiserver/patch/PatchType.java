package dev.sluice.apiserver.patch;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The types of patches, each with its content type. */
public enum PatchType {
  JSON("application/json-patch+json"),
  MERGE("application/merge-patch+json"),
  STRATEGIC("application/strategic-merge-patch+json"),
  APPLY("application/apply-patch+yaml");

  /** The types that built-in kinds accept. */
  public static final Set<PatchType> FOR_BUILT_INS =
      Collections.unmodifiableSet(EnumSet.allOf(PatchType.class));

  /**
   * The types that custom resources accept: their schemas have no merge keys for strategic patches.
   */
  public static final Set<PatchType> FOR_CUSTOM_RESOURCES =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(STRATEGIC)));

  private final String contentType;

  PatchType(String contentType) {
    this.contentType = contentType;
  }

  public String contentType() {
    return contentType;
  }

  /** The type of a Content-Type header, which must be one of {@code accepted}. */
  public static PatchType of(String header, Set<PatchType> accepted) {
    int parameters = header.indexOf(';');
    String mediaType =
        (parameters < 0 ? header : header.substring(0, parameters))
            .strip()
            .toLowerCase(Locale.ROOT);
    for (PatchType type : accepted) {
      if (type.contentType.equals(mediaType)) {
        return type;
      }
    }
    String choices =
        accepted.stream().sorted().map(PatchType::contentType).collect(Collectors.joining(", "));
    throw ApiFailure.because(
        Reason.UNSUPPORTED_MEDIA_TYPE,
        "a patch of type \"%s\" is not taken here; send one of: %s".formatted(mediaType, choices));
  }
}
