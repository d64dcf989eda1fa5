package dev.sluice.apiserver.http.discovery;

import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.apiserver.registry.kind.ServedKind.Subresource;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;

/** Unaggregated discovery: a document for each group and for each of its versions. */
public final class LegacyDiscovery {
  private LegacyDiscovery() {}

  /** The document at {@code /api}. */
  public static Tree coreVersions(String serverAddress) {
    return Tree.of(
        "kind",
        "APIVersions",
        "versions",
        List.of("v1"),
        "serverAddressByClientCIDRs",
        List.of(Tree.of("clientCIDR", "0.0.0.0/0", "serverAddress", serverAddress)));
  }

  /** The document at {@code /apis}: every group but the core one. */
  public static Tree groupList(ApiGroups groups) {
    return Tree.of(
        "kind",
        "APIGroupList",
        "apiVersion",
        "v1",
        "groups",
        Items.of(
            groups.groups().stream()
                .filter(group -> !group.name().isEmpty())
                .map(LegacyDiscovery::describe)
                .toList()));
  }

  public static Tree group(ApiGroups.Group group) {
    return describe(group).with("kind", "APIGroup").with("apiVersion", "v1");
  }

  private static Tree describe(ApiGroups.Group group) {
    List<Tree> versions =
        group.versions().stream()
            .map(version ->
                Tree.of("groupVersion", version.groupVersion(), "version", version.name()))
            .toList();
    return Tree.of(
        "name",
        group.name(),
        "versions",
        Items.of(versions),
        "preferredVersion",
        versions.getFirst());
  }

  public static Tree resourceList(ApiGroups.Version version) {
    var resources = new ArrayList<Tree>();
    for (ServedKind kind : version.kinds()) {
      resources.add(resource(kind));
      kind.subresources().forEach(subresource -> resources.add(subresource(kind, subresource)));
    }
    Tree list =
        Tree.of(
            "kind",
            "APIResourceList",
            "groupVersion",
            version.groupVersion(),
            "resources",
            Items.of(resources));
    return version.group().isEmpty() ? list : list.with("apiVersion", "v1");
  }

  private static Tree resource(ServedKind served) {
    Tree resource =
        Tree.of(
            "name",
            served.kind().plural(),
            "singularName",
            served.singular(),
            "namespaced",
            served.kind().namespaced(),
            "kind",
            served.kind().kind(),
            "verbs",
            served.verbs());
    resource =
        served.shortNames().isEmpty() ? resource : resource.with("shortNames", served.shortNames());
    return served.categories().isEmpty()
        ? resource
        : resource.with("categories", served.categories());
  }

  private static Tree subresource(ServedKind parent, Subresource subresource) {
    ResourceKind body = subresource.body();
    Tree resource =
        Tree.of(
            "name",
            parent.kind().plural() + "/" + subresource.name(),
            "singularName",
            "",
            "namespaced",
            parent.kind().namespaced(),
            "kind",
            body.kind(),
            "verbs",
            subresource.verbs());
    return body.apiVersion().equals(parent.kind().apiVersion())
        ? resource
        : resource.with("group", body.group()).with("version", body.version());
  }
}
