package dev.sluice.controllers.nodes.local.fields;

import static dev.sluice.controllers.nodes.local.fields.FieldRule.harmless;
import static dev.sluice.controllers.nodes.local.fields.FieldRule.honoured;
import static dev.sluice.controllers.nodes.local.fields.FieldRule.refused;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules of the fields of a pod's volumes. */
final class VolumeFieldRules {
  private static final String OTHERS =
      "use emptyDir, hostPath, configMap, secret, downwardAPI, or a projected volume of these";

  private VolumeFieldRules() {}

  static Stream<FieldRule> all() {
    String live = "follows changes, except where a subPath is mounted";
    return Stream.of(
            honoured("volumes[].name", "it is the name of a folder"),
            honoured("volumes[].configMap volumes[].secret volumes[].downwardAPI", live),
            honoured(
                "volumes[].projected.sources[].configMap volumes[].projected.sources[].secret"
                    + " volumes[].projected.sources[].downwardAPI volumes[].projected.defaultMode",
                live),
            honoured("volumes[].hostPath.path", "a file or folder of the machine"),
            harmless("volumes[].emptyDir.sizeLimit", "the disk of the machine is the limit"),
            refused("volumes[].emptyDir.medium", "volumes are folders on disk", OTHERS)
                .map(rule -> rule.unless("Memory")),
            refused("volumes[].hostPath.type", "a process gets no devices", "use another type")
                .map(rule ->
                    rule.unless(
                        "File", "FileOrCreate", "Directory", "DirectoryOrCreate", "Socket")),
            refused(
                "volumes[].projected.sources[].serviceAccountToken"
                    + " volumes[].projected.sources[].clusterTrustBundle"
                    + " volumes[].projected.sources[].podCertificate",
                "no tokens and certificates are issued",
                OTHERS),
            refused("volumes[].image", "images are not pulled", OTHERS),
            refused(
                Stream.of(
                        "awsElasticBlockStore azureDisk azureFile cephfs cinder csi ephemeral fc"
                            + " flexVolume flocker gcePersistentDisk gitRepo glusterfs iscsi nfs"
                            + " persistentVolumeClaim photonPersistentDisk portworxVolume quobyte"
                            + " rbd scaleIO storageos vsphereVolume")
                    .flatMap(names -> Stream.of(names.split(" ", -1)))
                    .map("volumes[]."::concat)
                    .collect(Collectors.joining(" ")),
                "there is no storage but this machine's own",
                OTHERS))
        .flatMap(each -> each);
  }
}
