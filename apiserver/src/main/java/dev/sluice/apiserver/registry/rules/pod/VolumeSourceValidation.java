package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.apiserver.registry.rules.QuantityValidation;
import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The validation of the sources of a pod's volumes. */
final class VolumeSourceValidation {
  private static final long MAX_MODE = 0777;
  private static final long MIN_TOKEN_SECONDS = 600;
  private static final List<String> HOST_TYPES =
      List.of(
          "",
          "BlockDevice",
          "CharDevice",
          "Directory",
          "DirectoryOrCreate",
          "File",
          "FileOrCreate",
          "Socket");
  private static final List<String> PROJECTED =
      List.of("secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle");

  private final ValidationErrors problems;

  VolumeSourceValidation(ValidationErrors problems) {
    this.problems = problems;
  }

  void check(String at, Tree volume) {
    List<String> sources = volume.names().stream().filter(name -> !name.equals("name")).toList();
    for (String source : sources) {
      checkSource(at + "." + source, source, volume.tree(source));
    }
    sources.stream()
        .skip(1)
        .forEach(
            more -> problems.forbidden(at + "." + more, "may not specify more than 1 volume type"));
  }

  private void checkSource(String at, String source, Tree content) {
    switch (source) {
      case "emptyDir" -> checkScratch(at, content);
      case "hostPath" -> checkHostPath(at, content);
      case "configMap" -> checkKeys(at, content, "name", content.text("name"));
      case "secret" -> checkKeys(at, content, "secretName", content.text("secretName"));
      case "downwardAPI" -> checkDownward(at, content);
      case "projected" -> checkProjected(at, content);
      case "persistentVolumeClaim" -> require(at + ".claimName", content.text("claimName"));
      case "nfs" -> {
        require(at + ".server", content.text("server"));
        require(at + ".path", content.text("path"));
        if (!content.text("path").startsWith("/")) {
          problems.invalid(at + ".path", content.text("path"), "must be an absolute path");
        }
      }
      case "ephemeral" -> {
        if (!content.has("volumeClaimTemplate")) {
          problems.required(at + ".volumeClaimTemplate", "");
        }
      }
      case "csi" -> require(at + ".driver", content.text("driver"));
      // The fields of such volumes are validated where they are provisioned.
      default -> {}
    }
  }

  private void require(String at, String value) {
    if (value.isEmpty()) {
      problems.required(at, "");
    }
  }

  private void checkScratch(String at, Tree content) {
    Optional<Quantity> limit = QuantityValidation.parse(content.at("sizeLimit"));
    if (limit.isPresent() && limit.get().isNegative()) {
      problems.forbidden(at + ".sizeLimit", "SizeLimit field must be a valid resource quantity");
    }
  }

  private void checkHostPath(String at, Tree content) {
    String path = content.text("path");
    if (path.isEmpty()) {
      problems.required(at + ".path", "");
      return;
    }
    if (VolumePaths.stepsBack(path)) {
      problems.invalid(at + ".path", path, "must not contain '..'");
    }
    problems.oneOf(at + ".type", content.text("type"), HOST_TYPES);
  }

  private void checkKeys(String at, Tree content, String nameField, String name) {
    require(at + "." + nameField, name);
    checkMode(at + ".defaultMode", content, "defaultMode");
    checkItems(at, content);
  }

  private void checkMode(String at, Tree holder, String field) {
    long mode = holder.whole(field).orElse(0);
    if (mode < 0 || mode > MAX_MODE) {
      problems.invalid(at, mode, "must be a number between 0 and 0777 (octal), both inclusive");
    }
  }

  private void checkItems(String at, Tree content) {
    List<Tree> items = content.trees("items");
    for (int i = 0; i < items.size(); i++) {
      String place = "%s.items[%d]".formatted(at, i);
      require(place + ".key", items.get(i).text("key"));
      checkPath(place + ".path", items.get(i).text("path"));
      checkMode(place + ".mode", items.get(i), "mode");
    }
  }

  private void checkPath(String at, String path) {
    require(at, path);
    problems.invalidIf(VolumePaths.problemInVolume(path), at, path);
  }

  private void checkDownward(String at, Tree content) {
    checkMode(at + ".defaultMode", content, "defaultMode");
    checkDownwardItems(at, content);
  }

  private void checkDownwardItems(String at, Tree content) {
    // Kubernetes does not distinguish which of them it is about.
    content.trees("items").forEach(item -> checkDownwardItem(at, item));
  }

  private void checkDownwardItem(String at, Tree item) {
    checkPath(at + ".path", item.text("path"));
    boolean field = item.has("fieldRef");
    boolean resource = item.has("resourceFieldRef");
    if (field) {
      DownwardReferences.checkField(
          at + ".fieldRef", item.tree("fieldRef"), DownwardReferences.IN_FILES, problems);
      if (resource) {
        problems.invalid(
            at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
      }
    } else if (resource) {
      DownwardReferences.checkResource(
          at + ".resourceFieldRef", item.tree("resourceFieldRef"), true, problems);
    } else {
      problems.required(at, "one of fieldRef and resourceFieldRef is required");
    }
    checkMode(at + ".mode", item, "mode");
  }

  private void checkProjected(String at, Tree content) {
    checkMode(at + ".defaultMode", content, "defaultMode");
    List<Tree> sources = content.trees("sources");
    var paths = new TreeSet<String>();
    for (int i = 0; i < sources.size(); i++) {
      Tree source = sources.get(i);
      String place = "%s.sources[%d]".formatted(at, i);
      List<String> given = PROJECTED.stream().filter(source::has).toList();
      given.forEach(kind -> checkProjection(at, place + "." + kind, kind, source.tree(kind)));
      if (given.size() > 1) {
        problems.forbidden(place, "may not specify more than 1 volume type");
      }
      given.stream()
          .flatMap(kind -> paths(source.tree(kind)))
          .filter(path -> !paths.add(path))
          .forEach(path -> problems.invalid(at, path, "conflicting duplicate paths"));
    }
  }

  /** The paths of the files of a source, as far as it names them. */
  private static Stream<String> paths(Tree source) {
    return Stream.concat(source.trees("items").stream(), Stream.of(source))
        .map(each -> each.text("path"))
        .filter(path -> !path.isEmpty());
  }

  private void checkProjection(String volume, String at, String kind, Tree content) {
    switch (kind) {
      case "configMap", "secret" -> {
        require(at + ".name", content.text("name"));
        checkItems(at, content);
      }
      case "downwardAPI" -> checkDownwardItems(at, content);
      case "serviceAccountToken" -> {
        long seconds = content.whole("expirationSeconds").orElse(MIN_TOKEN_SECONDS);
        if (seconds < MIN_TOKEN_SECONDS) {
          problems.invalid(
              at + ".expirationSeconds",
              seconds,
              "may not specify a duration less than 10 minutes");
        }
        checkPath(volume + ".path", content.text("path"));
      }
      default -> {}
    }
  }
}
