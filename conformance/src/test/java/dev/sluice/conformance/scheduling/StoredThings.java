package dev.sluice.conformance.scheduling;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import java.util.List;

/** Claims, volumes and their classes, in all states in which a pod may find them. */
final class StoredThings {
  private StoredThings() {}

  /** Claims, with the volume they have got or none, and what else their specs say. */
  private static final List<ApiObject> CLAIMS =
      List.of(
          claim("claim-unbound", "", "storageClassName: ''"),
          claim("claim-west", "west", "storageClassName: ''"),
          claim("claim-nowhere", "nowhere", "storageClassName: ''"),
          claim("claim-z2", "z2", "storageClassName: ''"),
          claim("claim-without-volume", "gone", "storageClassName: ''"),
          claim("claim-lost", "gone", "storageClassName: ''"),
          claim("claim-too-large", "", "storageClassName: local"),
          claim("claim-waits", "", "storageClassName: local"),
          claim("claim-made-here", "", "storageClassName: made"),
          claim("claim-for-one", "anywhere", "storageClassName: ''"));

  private static ApiObject claim(String name, String volume, String spec) {
    String modes = name.endsWith("for-one") ? "ReadWriteOncePod" : "ReadWriteOnce";
    String size = name.endsWith("large") ? "1Ti" : "1Gi";
    String annotations = volume.isEmpty() ? "" : "pv.kubernetes.io/bind-completed: 'yes'";
    return yaml(
        """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: %s, namespace: default, annotations: {%s}}
        spec: {volumeName: '%s', accessModes: [%s], resources: {requests: {storage: %s}}, %s}
        status: {phase: %s}
        """
            .formatted(
                name,
                annotations,
                volume,
                modes,
                size,
                spec,
                name.endsWith("lost") ? "Lost" : volume.isEmpty() ? "Pending" : "Bound"));
  }

  private static final List<ApiObject> VOLUMES =
      List.of(
          volume("west", "", affinity("zone", "west"), "storageClassName: ''"),
          volume("nowhere", "", affinity("zone", "nowhere"), "storageClassName: ''"),
          volume("z2", "topology.kubernetes.io/zone: z2", "", "storageClassName: ''"),
          volume("anywhere", "", "", "storageClassName: ''"),
          volume("local-c", "", affinity("disk", "ssd"), "storageClassName: local"));

  private static String affinity(String key, String value) {
    return "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: %s, operator:"
            .formatted(key)
        + " In, values: [%s]}]}]}},".formatted(value);
  }

  private static ApiObject volume(String name, String labels, String affinity, String spec) {
    return yaml(
        """
        apiVersion: v1
        kind: PersistentVolume
        metadata: {name: %s, labels: {%s}}
        spec:
          {%s %s, capacity: {storage: 10Gi}, accessModes: [ReadWriteOnce, ReadWriteMany],
           hostPath: {path: /tmp/x}}
        status: {phase: Available}
        """
            .formatted(name, labels, affinity, spec));
  }

  private static ApiObject storageClass(String name, String provisioner, String topologies) {
    return yaml(
        """
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata: {name: %s}
        provisioner: %s
        volumeBindingMode: WaitForFirstConsumer
        allowedTopologies: [%s]
        """
            .formatted(name, provisioner, topologies));
  }

  static void create(Cluster cluster) {
    cluster.create(Kinds.STORAGE_CLASS, storageClass("local", "kubernetes.io/no-provisioner", ""));
    cluster.create(
        Kinds.STORAGE_CLASS,
        storageClass(
            "made", "example.com/maker", "{matchLabelExpressions: [{key: zone, values: [west]}]}"));
    for (ApiObject volume : VOLUMES) {
      ApiObject created = cluster.create(Kinds.PERSISTENT_VOLUME, volume);
      cluster.patchStatus(Kinds.PERSISTENT_VOLUME, created, volume.status());
    }
    for (ApiObject claim : CLAIMS) {
      ApiObject created = cluster.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim);
      cluster.patchStatus(Kinds.PERSISTENT_VOLUME_CLAIM, created, claim.status());
    }
  }

  private static ApiObject yaml(String text) {
    return ApiObject.of(Yaml.parseAll(text).getFirst());
  }
}
