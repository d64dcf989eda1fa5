package dev.sluice.apiserver.http.discovery;

import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.apiserver.registry.kind.ServedKind.Subresource;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** Discovery in one document: every group, version and kind. */
public final class AggregatedDiscovery {
  private AggregatedDiscovery() {}

  public static Tree document(List<ApiGroups.Group> groups) {
    return Tree.of(
        "kind",
        "APIGroupDiscoveryList",
        "apiVersion",
        "apidiscovery.k8s.io/v2",
        "metadata",
        Tree.EMPTY,
        "items",
        Items.of(groups.stream().map(AggregatedDiscovery::group).toList()));
  }

  private static Tree group(ApiGroups.Group group) {
    Tree metadata = group.name().isEmpty() ? Tree.EMPTY : Tree.of("name", group.name());
    return Tree.of(
        "metadata",
        metadata,
        "versions",
        Items.of(group.versions().stream().map(AggregatedDiscovery::version).toList()));
  }

  private static Tree version(ApiGroups.Version version) {
    return Tree.of(
        "version",
        version.name(),
        "freshness",
        "Current",
        "resources",
        Items.of(version.kinds().stream().map(AggregatedDiscovery::resource).toList()));
  }

  private static Tree resource(ServedKind served) {
    ResourceKind kind = served.kind();
    Tree resource =
        Tree.of(
            "resource",
            kind.plural(),
            "responseKind",
            responseKind(kind, kind),
            "scope",
            kind.namespaced() ? "Namespaced" : "Cluster",
            "singularResource",
            served.singular(),
            "verbs",
            served.verbs());
    resource = withList(resource, "shortNames", served.shortNames());
    resource = withList(resource, "categories", served.categories());
    List<Tree> subresources =
        served.subresources().stream().map(subresource -> subresource(subresource, kind)).toList();
    return withList(resource, "subresources", subresources);
  }

  private static Tree subresource(Subresource subresource, ResourceKind parent) {
    return Tree.of(
        "subresource",
        subresource.name(),
        "responseKind",
        responseKind(subresource.body(), parent),
        "verbs",
        subresource.verbs());
  }

  /** Group and version are empty where they equal those of the surrounding document. */
  private static Tree responseKind(ResourceKind kind, ResourceKind around) {
    boolean same = kind.apiVersion().equals(around.apiVersion());
    return Tree.of(
        "group",
        same ? "" : kind.group(),
        "version",
        same ? "" : kind.version(),
        "kind",
        kind.kind());
  }

  private static Tree withList(Tree tree, String name, List<?> list) {
    return list.isEmpty() ? tree : tree.with(name, list);
  }
}
