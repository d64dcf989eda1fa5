package dev.sluice.controllers.scheduling;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.yaml;

import dev.sluice.controllers.housekeeping.EphemeralClaims;
import dev.sluice.controllers.housekeeping.VolumeBinder;
import dev.sluice.controllers.housekeeping.VolumeProtection;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.util.List;

/** A world for tests with claims, volumes and pods, and everybody who brings them together. */
final class StorageScene {
  final FakeCluster cluster = new FakeCluster(1);

  /** Starts the scheduler and the others anew. */
  VirtualDriver start() {
    return driver(
        cluster,
        1,
        List.of(
            new PodScheduler(cluster),
            new VolumeBinder(cluster),
            new VolumeProtection(cluster),
            new EphemeralClaims(cluster)));
  }

  void settle() {
    try (var driver = start()) {
      driver.settle();
    }
  }

  void node(String name, String zone) {
    cluster.create(
        Kinds.NODE,
        yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s, labels: {zone: %s}}
            status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}
            """
                .formatted(name, zone)));
  }

  void storageClass(String name, String provisioner) {
    cluster.create(
        Kinds.STORAGE_CLASS,
        yaml(
            """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: %s}
            provisioner: %s
            volumeBindingMode: WaitForFirstConsumer
            """
                .formatted(name, provisioner)));
  }

  void volume(String name, String storageClass, String zone) {
    cluster.create(
        Kinds.PERSISTENT_VOLUME,
        yaml(
            """
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: %s, finalizers: [kubernetes.io/pv-protection]}
            spec:
              storageClassName: '%s'
              capacity: {storage: 2Gi}
              accessModes: [ReadWriteOnce]
              persistentVolumeReclaimPolicy: Retain
              nodeAffinity:
                required:
                  nodeSelectorTerms:
                  - matchExpressions: [{key: zone, operator: In, values: [%s]}]
            """
                .formatted(name, storageClass, zone)));
  }

  void claim(String name, String storageClass) {
    cluster.create(
        Kinds.PERSISTENT_VOLUME_CLAIM,
        yaml(
            """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata:
              {name: %s, namespace: default, finalizers: [kubernetes.io/pvc-protection]}
            spec:
              storageClassName: '%s'
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 1Gi}}
            """
                .formatted(name, storageClass)));
  }

  void pod(String name, String volume) {
    cluster.create(
        Kinds.POD,
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: default-scheduler
              containers: [{name: a}]
              volumes: [{name: v, %s}]
            """
                .formatted(name, volume)));
  }

  static String uses(String claim) {
    return "persistentVolumeClaim: {claimName: %s}".formatted(claim);
  }

  Pod pod(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name)));
  }

  PersistentVolumeClaim claim(String name) {
    return new PersistentVolumeClaim(
        cluster.require(Kinds.PERSISTENT_VOLUME_CLAIM.key("default", name)));
  }

  PersistentVolume volume(String name) {
    return new PersistentVolume(cluster.require(Kinds.PERSISTENT_VOLUME.key(name)));
  }
}
