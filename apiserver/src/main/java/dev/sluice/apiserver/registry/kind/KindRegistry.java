package dev.sluice.apiserver.registry.kind;

import dev.sluice.apiserver.apply.ManagedPart;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Every kind with its rules: built-in kinds, and those of the current CustomResourceDefinitions.
 * Threads: safe.
 */
public final class KindRegistry {
  private final List<RuledKind> builtIn;
  private final CustomKinds custom;

  public KindRegistry(List<RuledKind> builtIn, CustomKinds custom) {
    this.builtIn = List.copyOf(builtIn);
    this.custom = custom;
  }

  public List<ServedKind> served() {
    return Stream.concat(builtIn.stream(), custom.all()).map(RuledKind::served).toList();
  }

  /** The kinds, each in one version only. */
  public List<ResourceKind> once() {
    var once = new TreeMap<String, ResourceKind>();
    served().forEach(each -> once.put(each.kind().qualifiedPlural(), each.kind()));
    return List.copyOf(once.values());
  }

  public Optional<RuledKind> find(String group, String version, String plural) {
    for (RuledKind ruled : builtIn) {
      ResourceKind kind = ruled.kind();
      boolean wanted =
          kind.plural().equals(plural)
              && kind.group().equals(group)
              && kind.version().equals(version);
      if (wanted) {
        return Optional.of(ruled);
      }
    }
    return custom.find(group, version, plural);
  }

  /** The kind and version in which the objects of a kind are stored. */
  public ResourceKind storage(ResourceKind kind) {
    return kind.equals(Kinds.GROUPED_EVENT) ? Kinds.EVENT : custom.storage(kind);
  }

  /** The part of a kind that a path writes: the object or a subresource. */
  public ManagedPart part(RuledKind ruled, String subresource) {
    return ManagedPart.of(
        ruled.kind(),
        ruled.served().schema(),
        subresource,
        ruled.served().builtIn(),
        ruled.splitsStatus(),
        new OneVersion(this, ruled, subresource));
  }

  private record OneVersion(KindRegistry kinds, RuledKind ruled, String subresource)
      implements ManagedPart.Version {
    @Override
    public ApiObject in(ApiObject object) {
      return ruled.in(object);
    }

    @Override
    public Optional<ManagedPart> other(String apiVersion) {
      return kinds.version(ruled.kind(), apiVersion).map(other -> kinds.part(other, subresource));
    }
  }

  /** Another version of a kind, with the same storage version. */
  private Optional<RuledKind> version(ResourceKind kind, String apiVersion) {
    ResourceKind stored = storage(kind);
    return Stream.concat(builtIn.stream(), custom.all())
        .filter(other -> other.kind().apiVersion().equals(apiVersion))
        .filter(other -> storage(other.kind()).equals(stored))
        .findFirst();
  }

  public RuledKind builtIn(ResourceKind kind) {
    return find(kind.group(), kind.version(), kind.plural()).orElseThrow();
  }

  /** The kind with its rules; its definition may have been deleted meanwhile. */
  public RuledKind of(ServedKind served) {
    ResourceKind kind = served.kind();
    return find(kind.group(), kind.version(), kind.plural())
        .orElseThrow(() ->
            ApiFailure.because(
                ApiFailure.Reason.NOT_FOUND,
                "the server does not serve %s %s any more"
                    .formatted(kind.apiVersion(), kind.plural())));
  }

  public boolean isCustom(ResourceKind kind) {
    return builtIn.stream().noneMatch(ruled -> ruled.kind().equals(kind));
  }

  /** A custom kind in any version: all have the same rules for deletion. */
  public RuledKind anyVersion(ResourceKind kind) {
    return custom
        .all()
        .filter(ruled -> ruled.kind().group().equals(kind.group()))
        .filter(ruled -> ruled.kind().plural().equals(kind.plural()))
        .findFirst()
        .orElseThrow(() -> ApiFailure.notFound(CustomKinds.definitionOf(kind)));
  }
}
