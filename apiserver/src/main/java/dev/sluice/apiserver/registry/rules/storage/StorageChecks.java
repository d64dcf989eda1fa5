package dev.sluice.apiserver.registry.rules.storage;

import dev.sluice.apiserver.registry.rules.QuantityValidation;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/** The validation that claims and volumes share. */
final class StorageChecks {
  private static final String ONE_POD = "ReadWriteOncePod";
  private static final List<String> ACCESS_MODES =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", ONE_POD);

  private StorageChecks() {}

  static void check(Tree spec, ValidationErrors problems) {
    List<String> modes = spec.textItems("accessModes");
    if (modes.isEmpty()) {
      problems.required("spec.accessModes", "at least 1 access mode is required");
    }
    modes.forEach(mode -> problems.oneOf("spec.accessModes", mode, ACCESS_MODES));
    if (modes.contains(ONE_POD) && modes.size() > 1) {
      problems.forbidden(
          "spec.accessModes", "may not use ReadWriteOncePod with other access modes");
    }
    String storageClass = spec.text("storageClassName");
    if (!storageClass.isEmpty()) {
      problems.invalidIf(
          NameSyntax.subdomainProblem(storageClass), "spec.storageClassName", storageClass);
    }
    problems.oneOf("spec.volumeMode", spec.text("volumeMode"), List.of("Block", "Filesystem"));
  }

  /** Validates that an amount of storage is set and positive. */
  static void checkSize(String field, Tree amounts, ValidationErrors problems) {
    String at = field + "[storage]";
    if (!amounts.has("storage")) {
      problems.required(at, "");
      return;
    }
    Optional<Quantity> size = QuantityValidation.parse(amounts.at("storage"));
    if (size.isPresent() && size.get().compareTo(Quantity.ZERO) <= 0) {
      problems.invalid(at, size.get().toString(), "must be greater than zero");
    }
  }
}
