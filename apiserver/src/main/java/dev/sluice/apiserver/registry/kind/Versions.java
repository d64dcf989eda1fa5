package dev.sluice.apiserver.registry.kind;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * The conversion of objects to the versions of their kind, by a converter if the kind has one;
 * otherwise only the {@code apiVersion} changes. Threads: safe.
 */
public final class Versions {
  /** The metadata that a converter must not change. */
  private static final List<String> IDENTITY = List.of("name", "namespace", "uid");

  private final List<VersionConverter> converters;

  public Versions(List<VersionConverter> converters) {
    this.converters = List.copyOf(converters);
  }

  /** Whether a converter exists for the kind. */
  public boolean convert(ResourceKind kind) {
    return converters.stream().anyMatch(converter -> converter.converts(kind));
  }

  /** Converts an object of any version of the kind to the version of {@code kind}. */
  public ApiObject in(ResourceKind kind, ApiObject object) {
    String apiVersion = kind.apiVersion();
    if (object.apiVersion().equals(apiVersion)) {
      return object;
    }
    VersionConverter converter =
        converters.stream()
            .filter(candidate -> candidate.converts(kind))
            .findFirst()
            .orElse(VersionConverter.NONE);
    return checked(object, converter.convert(object, apiVersion), apiVersion);
  }

  private static ApiObject checked(ApiObject object, ApiObject converted, String apiVersion) {
    Tree before = object.metadata();
    Tree after = converted.metadata();
    boolean same = IDENTITY.stream().allMatch(name -> before.at(name).equals(after.at(name)));
    if (!same || !converted.apiVersion().equals(apiVersion)) {
      throw new IllegalStateException(
          "the converter made %s %s of %s %s, which should have become the same object in %s"
              .formatted(
                  converted.apiVersion(),
                  converted.path(),
                  object.apiVersion(),
                  object.path(),
                  apiVersion));
    }
    return converted;
  }
}
