package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SortedMap;

/** A Service. */
public record Service(ApiObject object) {
  public static final String CLUSTER_IP = "ClusterIP";
  public static final String EXTERNAL_NAME = "ExternalName";

  /** The address of a Service that has none, and is only a name for its pods. */
  private static final String NONE = "None";

  public boolean isHeadless() {
    return address().equals(NONE);
  }

  /** Whether it stands for a name outside of the cluster. */
  public boolean isExternal() {
    return object.spec().text("type").equals(EXTERNAL_NAME);
  }

  /** Its address in the cluster, {@code None} if it is headless. */
  public String address() {
    return object.spec().text("clusterIP");
  }

  /** Whether it needs an address and does not ask for one. */
  public boolean wantsAddress() {
    return address().isEmpty() && !isExternal();
  }

  public Service withAddress(String address) {
    Tree spec = object.spec().with("clusterIP", address).with("clusterIPs", List.of(address));
    return new Service(object.withSpec(spec));
  }

  /** The labels of its pods; empty if its endpoints are given by hand. */
  public SortedMap<String, String> selector() {
    return object.spec().texts("selector");
  }

  public boolean publishesNotReady() {
    return object.spec().flag("publishNotReadyAddresses");
  }
}
