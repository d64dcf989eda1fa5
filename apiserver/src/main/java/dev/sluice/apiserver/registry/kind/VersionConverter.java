package dev.sluice.apiserver.registry.kind;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The conversion of objects of custom kinds between served versions, in this process: what a
 * conversion webhook does on other servers.
 *
 * <p>A converter changes no metadata but labels and annotations, and loses nothing: an object that
 * is converted there and back is unchanged. It must not read the cluster.
 *
 * <p>Threads: safe.
 */
public interface VersionConverter {

  /** The strategy None, which only changes the {@code apiVersion}. */
  VersionConverter NONE =
      new VersionConverter() {
        @Override
        public boolean converts(ResourceKind kind) {
          return true;
        }

        @Override
        public ApiObject convert(ApiObject object, String toApiVersion) {
          return object.with(List.of("apiVersion"), toApiVersion);
        }
      };

  /** Whether it converts the versions of a kind; called with any of them. */
  boolean converts(ResourceKind kind);

  /** Converts an object of another version to the version with this {@code apiVersion}. */
  ApiObject convert(ApiObject object, String toApiVersion);

  /** A converter for all kinds of an API group. */
  static VersionConverter ofGroup(String group, BiFunction<ApiObject, String, ApiObject> convert) {
    return new VersionConverter() {
      @Override
      public boolean converts(ResourceKind kind) {
        return kind.group().equals(group);
      }

      @Override
      public ApiObject convert(ApiObject object, String toApiVersion) {
        return convert.apply(object, toApiVersion);
      }
    };
  }
}
