package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Warnings about volumes of removed types, and about files that overlap. */
final class VolumeWarnings {
  private static final int MAX_WARNINGS = 100;
  private static final int MAX_FILES = 1000;

  private static final String LONG_GONE = "deprecated in v1.22, non-functional in v1.25+";
  private static final String GONE = "deprecated in v1.28, non-functional in v1.31+";

  /** The warnings by type of volume. */
  private static final SortedMap<String, String> OUTDATED =
      new TreeMap<>(
          Map.of(
              "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+",
              "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+",
              "scaleIO", "deprecated in v1.16, non-functional in v1.22+",
              "flocker", LONG_GONE,
              "storageos", LONG_GONE,
              "quobyte", LONG_GONE,
              "glusterfs", "deprecated in v1.25, non-functional in v1.26+",
              "cephfs", GONE,
              "rbd", GONE));

  private VolumeWarnings() {}

  /**
   * Warns of deprecated and removed types of volumes.
   *
   * @param report receives the path of a volume and the warning about it
   */
  static void outdated(List<Tree> volumes, BiConsumer<String, String> report) {
    for (int i = 0; i < volumes.size(); i++) {
      for (String source : volumes.get(i).names()) {
        String warning = OUTDATED.get(source);
        // The only type whose name in warnings differs from the field.
        String name = source.equals("storageos") ? "storageOS" : source;
        if (warning != null) {
          report.accept("volumes[%d].%s".formatted(i, name), warning);
        }
      }
    }
  }

  /** A file and its source, which is empty where it is obvious. */
  private record Mapped(String path, String source) {
    boolean overlaps(Mapped other) {
      return !path.isEmpty() && !other.path.isEmpty() && (isIn(other) || other.isIn(this));
    }

    private boolean isIn(Mapped folder) {
      int end = folder.path.length();
      return path.startsWith(folder.path) && (path.length() == end || path.charAt(end) == '/');
    }

    @Override
    public String toString() {
      return source.isEmpty() ? "\"" + path + "\"" : "\"%s\" (%s)".formatted(path, source);
    }
  }

  /** The warnings about files of which one hides another, or would have to be inside another. */
  static List<String> overlapping(List<Tree> volumes) {
    var warnings = new ArrayList<String>();
    for (Tree volume : volumes) {
      single(volume)
          .ifPresent(what -> overlaps(volume, what, mapped(content(volume), ""), warnings));
      if (volume.has("projected")) {
        overlaps(volume, "Projected", projected(volume, warnings), warnings);
      }
    }
    return warnings;
  }

  private static Optional<String> single(Tree volume) {
    if (volume.has("configMap")) {
      return Optional.of("ConfigMap \"%s\"".formatted(volume.text("configMap", "name")));
    }
    if (volume.has("secret")) {
      return Optional.of("Secret \"%s\"".formatted(volume.text("secret", "secretName")));
    }
    return volume.has("downwardAPI") ? Optional.of("DownwardAPI") : Optional.empty();
  }

  private static Tree content(Tree volume) {
    for (String source : List.of("configMap", "secret", "downwardAPI")) {
      if (volume.has(source)) {
        return volume.tree(source);
      }
    }
    return Tree.EMPTY;
  }

  private static List<Mapped> mapped(Tree content, String source) {
    return content.trees("items").stream()
        .map(item -> new Mapped(stripped(item.text("path")), source))
        .toList();
  }

  private static String stripped(String path) {
    return path.replaceFirst("/+$", "");
  }

  private static List<Mapped> projected(Tree volume, List<String> warnings) {
    var files = new ArrayList<Mapped>();
    for (Tree source : volume.trees("projected", "sources")) {
      if (source.isEmpty()) {
        warnings.add(
            "volume \"%s\" (Projected) has no sources provided".formatted(volume.text("name")));
      }
      for (String name : source.names()) {
        files.addAll(files(name, source.tree(name)));
      }
    }
    return files;
  }

  private static List<Mapped> files(String kind, Tree source) {
    return switch (kind) {
      case "configMap" -> mapped(source, "ConfigMap \"%s\"".formatted(source.text("name")));
      case "secret" -> mapped(source, "Secret \"%s\"".formatted(source.text("name")));
      case "downwardAPI" -> mapped(source, "DownwardAPI");
      case "serviceAccountToken" -> file(source, "path", "ServiceAccountToken");
      case "clusterTrustBundle" ->
          file(
              source,
              "path",
              "ClusterTrustBundle \"%s\""
                  .formatted(source.text(source.has("name") ? "name" : "signerName")));
      case "podCertificate" -> {
        var files = new ArrayList<>(file(source, "certificateChainPath", "PodCertificate chain"));
        files.addAll(file(source, "keyPath", "PodCertificate key"));
        files.addAll(file(source, "credentialBundlePath", "PodCertificate credential bundle"));
        yield files;
      }
      default -> List.of();
    };
  }

  private static List<Mapped> file(Tree source, String field, String what) {
    return List.of(new Mapped(stripped(source.text(field)), what));
  }

  /** Adds the overlaps; with very many files, a warning for each pair would not be read. */
  private static void overlaps(
      Tree volume, String what, List<Mapped> files, List<String> warnings) {
    for (int i = 0; i < Math.min(files.size(), MAX_FILES) && warnings.size() < MAX_WARNINGS; i++) {
      Mapped file = files.get(i);
      files.subList(0, i).stream()
          .filter(file::overlaps)
          .limit(MAX_WARNINGS)
          .forEach(other ->
              warnings.add(
                  "volume \"%s\" (%s): overlapping paths: %s with %s"
                      .formatted(volume.text("name"), what, file, other)));
    }
  }
}
