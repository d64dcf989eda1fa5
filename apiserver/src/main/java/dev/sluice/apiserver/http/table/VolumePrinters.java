package dev.sluice.apiserver.http.table;

import static dev.sluice.apiserver.http.table.Printer.age;
import static dev.sluice.apiserver.http.table.Printer.ageOf;
import static dev.sluice.apiserver.http.table.Printer.name;
import static dev.sluice.apiserver.http.table.Printer.row;
import static dev.sluice.apiserver.http.table.Printer.text;
import static dev.sluice.apiserver.http.table.Printer.wide;

import dev.sluice.model.ApiObject;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.model.core.storage.StorageClass;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** The printers of claims, volumes and storage classes. */
final class VolumePrinters {
  static final Printer CLAIMS =
      new SimplePrinters.Plain(
          List.of(
              name(),
              text("Status", "Whether it has a volume."),
              text("Volume", "The volume it has."),
              text("Capacity", "How large that volume is."),
              text("Access Modes", "How that volume can be used."),
              text("StorageClass", "The class of storage it wants."),
              text("VolumeAttributesClass", "The class of the volume's attributes."),
              age(),
              wide("VolumeMode", "Whether it wants a file system or a device.")),
          VolumePrinters::claim);

  static final Printer VOLUMES =
      new SimplePrinters.Plain(
          List.of(
              name(),
              text("Capacity", "How large it is."),
              text("Access Modes", "How it can be used."),
              text("Reclaim Policy", "What becomes of it after its claim."),
              text("Status", "Whether a claim has it."),
              text("Claim", "The claim that has it."),
              text("StorageClass", "The class of storage it belongs to."),
              text("VolumeAttributesClass", "The class of its attributes."),
              text("Reason", "Why it is in its status."),
              age(),
              wide("VolumeMode", "Whether it is a file system or a device.")),
          VolumePrinters::volume);

  static final Printer CLASSES =
      new SimplePrinters.Plain(
          List.of(
              name(),
              text("Provisioner", "Who makes its volumes."),
              text("ReclaimPolicy", "What becomes of them after their claims."),
              text("VolumeBindingMode", "When claims get their volumes."),
              text("AllowVolumeExpansion", "Whether volumes can grow."),
              age()),
          VolumePrinters::storageClass);

  private VolumePrinters() {}

  private static List<Value> claim(ApiObject object, Instant now) {
    var claim = new PersistentVolumeClaim(object);
    boolean named = !claim.volumeName().isEmpty();
    return row(
        claim.name(),
        phase(object),
        claim.volumeName(),
        named ? object.status().text("capacity", "storage") : "",
        named ? modes(object.status()) : "",
        claim.storageClassName(),
        orUnset(claim.attributesClass()),
        ageOf(object, now),
        orUnset(object.spec().text("volumeMode")));
  }

  private static List<Value> volume(ApiObject object, Instant now) {
    var volume = new PersistentVolume(object);
    return row(
        volume.name(),
        object.spec().text("capacity", "storage"),
        modes(object.spec()),
        volume.reclaimPolicy(),
        phase(object),
        volume.isClaimed() ? volume.claimKey().namespace() + "/" + volume.claimKey().name() : "",
        volume.storageClassName(),
        orUnset(volume.attributesClass()),
        object.status().text("reason"),
        ageOf(object, now),
        orUnset(object.spec().text("volumeMode")));
  }

  private static List<Value> storageClass(ApiObject object, Instant now) {
    Tree tree = object.tree();
    return row(
        object.name() + (new StorageClass(object).isDefault() ? " (default)" : ""),
        tree.text("provisioner"),
        tree.text("reclaimPolicy"),
        tree.text("volumeBindingMode"),
        tree.flag("allowVolumeExpansion"),
        ageOf(object, now));
  }

  private static String phase(ApiObject object) {
    return object.isDeleting() ? "Terminating" : object.status().text("phase");
  }

  private static String modes(Tree fields) {
    return fields.textItems("accessModes").stream()
        .distinct()
        .map(mode ->
            switch (mode) {
              case "ReadWriteOnce" -> "RWO";
              case "ReadOnlyMany" -> "ROX";
              case "ReadWriteMany" -> "RWX";
              case "ReadWriteOncePod" -> "RWOP";
              default -> mode;
            })
        .collect(Collectors.joining(","));
  }

  private static String orUnset(String text) {
    return text.isEmpty() ? "<unset>" : text;
  }
}
