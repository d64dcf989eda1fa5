package dev.sluice.apiserver.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Admissionregistration;
import io.kubernetes.client.proto.V1Apiextensions;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Authentication;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Certificates;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Discovery;
import io.kubernetes.client.proto.V1Events;
import io.kubernetes.client.proto.V1Flowcontrol;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Node;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Resource;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import io.kubernetes.client.proto.V2Autoscaling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The Protobuf messages of kinds. The descriptors of a group are loaded on first use: loading takes
 * time, and few processes need all.
 */
final class Messages {
  private static final SortedMap<String, Supplier<FileDescriptor>> FILES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("v1", V1::getDescriptor),
              Map.entry("admissionregistration.k8s.io/v1", V1Admissionregistration::getDescriptor),
              Map.entry("apiextensions.k8s.io/v1", V1Apiextensions::getDescriptor),
              Map.entry("apps/v1", V1Apps::getDescriptor),
              Map.entry("authentication.k8s.io/v1", V1Authentication::getDescriptor),
              Map.entry("authorization.k8s.io/v1", V1Authorization::getDescriptor),
              Map.entry("autoscaling/v1", V1Autoscaling::getDescriptor),
              Map.entry("autoscaling/v2", V2Autoscaling::getDescriptor),
              Map.entry("batch/v1", V1Batch::getDescriptor),
              Map.entry("certificates.k8s.io/v1", V1Certificates::getDescriptor),
              Map.entry("coordination.k8s.io/v1", V1Coordination::getDescriptor),
              Map.entry("discovery.k8s.io/v1", V1Discovery::getDescriptor),
              Map.entry("events.k8s.io/v1", V1Events::getDescriptor),
              Map.entry("flowcontrol.apiserver.k8s.io/v1", V1Flowcontrol::getDescriptor),
              Map.entry("meta.k8s.io/v1", Meta::getDescriptor),
              Map.entry("networking.k8s.io/v1", V1Networking::getDescriptor),
              Map.entry("node.k8s.io/v1", V1Node::getDescriptor),
              Map.entry("policy/v1", V1Policy::getDescriptor),
              Map.entry("rbac.authorization.k8s.io/v1", V1Rbac::getDescriptor),
              Map.entry("resource.k8s.io/v1", V1Resource::getDescriptor),
              Map.entry("scheduling.k8s.io/v1", V1Scheduling::getDescriptor),
              Map.entry("storage.k8s.io/v1", V1Storage::getDescriptor)));

  private Messages() {}

  static List<FileDescriptor> files() {
    return FILES.values().stream().map(Supplier::get).toList();
  }

  /** The message of a kind: one with metadata, since parts of objects are messages too. */
  static Optional<Descriptor> find(String apiVersion, String kind) {
    // Clients send DeleteOptions under the version of the object that they delete.
    if (kind.equals("DeleteOptions")) {
      return Optional.of(Meta.DeleteOptions.getDescriptor());
    }
    if (kind.equals("Status") && apiVersion.equals("v1")) {
      return Optional.of(Meta.Status.getDescriptor());
    }
    Supplier<FileDescriptor> file = FILES.get(apiVersion);
    return file == null
        ? Optional.empty()
        : Optional.ofNullable(file.get().findMessageTypeByName(kind))
            .filter(message -> message.findFieldByName("metadata") != null);
  }
}
