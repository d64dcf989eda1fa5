package dev.sluice.apiserver.http.discovery;

import dev.sluice.apiserver.registry.kind.ServedKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The served kinds by group and version. */
public record ApiGroups(List<Group> groups) {

  /** A group; its name is empty for the core one. The preferred version is the first. */
  public record Group(String name, List<Version> versions) {
    public Group {
      versions = List.copyOf(versions);
    }
  }

  /** One version of a group, with its kinds by plural. */
  public record Version(String group, String name, List<ServedKind> kinds) {
    public Version {
      kinds = List.copyOf(kinds);
    }

    /** Such as {@code v1} or {@code batch/v1}. */
    public String groupVersion() {
      return group.isEmpty() ? name : group + "/" + name;
    }

    /** Such as {@code api/v1} or {@code apis/batch/v1}. */
    public String path() {
      return group.isEmpty() ? "api/" + name : "apis/" + group + "/" + name;
    }
  }

  public ApiGroups {
    groups = List.copyOf(groups);
  }

  /** The groups, in the order of their first kinds. */
  public static ApiGroups of(List<ServedKind> kinds) {
    Map<String, Map<String, List<ServedKind>>> sorted = new LinkedHashMap<>();
    for (ServedKind kind : kinds) {
      sorted
          .computeIfAbsent(kind.kind().group(), ignored -> new LinkedHashMap<>())
          .computeIfAbsent(kind.kind().version(), ignored -> new ArrayList<>())
          .add(kind);
    }
    var groups = new ArrayList<Group>();
    sorted.forEach((name, versions) -> groups.add(group(name, versions)));
    return new ApiGroups(groups);
  }

  private static Group group(String name, Map<String, List<ServedKind>> versions) {
    var sorted = new ArrayList<Version>();
    versions.forEach((version, kinds) -> {
      kinds.sort(Comparator.comparing(kind -> kind.kind().plural()));
      sorted.add(new Version(name, version, kinds));
    });
    sorted.sort(Comparator.comparing(Version::name, VersionOrder.PREFERRED_FIRST));
    return new Group(name, sorted);
  }

  public Optional<Group> find(String name) {
    return groups.stream().filter(group -> group.name().equals(name)).findFirst();
  }

  public Optional<Version> find(String group, String version) {
    return find(group).stream()
        .flatMap(found -> found.versions().stream())
        .filter(found -> found.name().equals(version))
        .findFirst();
  }

  public List<Version> versions() {
    return groups.stream().flatMap(group -> group.versions().stream()).toList();
  }
}
