package dev.sluice.apiserver.registry.kind;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Turns objects of custom kinds from one served version into another, in this process: what a
 * conversion webhook does on other servers.
 *
 * <p>A converter changes nothing of the metadata but labels and annotations, and loses nothing: an
 * object that is converted and converted back says the same. It must not read the cluster.
 *
 * <p>Threads: safe.
 */
public interface VersionConverter {

  /** Changes only what the object says its version is: the strategy None. */
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

  /** Whether it knows the versions of a kind; it is asked with any of them. */
  boolean converts(ResourceKind kind);

  /** The object, which is in another version, in the version with this {@code apiVersion}. */
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
