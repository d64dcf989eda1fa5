package dev.sluice.engine.scheduling;

/** The rules of scheduling, by the names under which users of Kubernetes know them. */
public enum Plugin {
  NODE_UNSCHEDULABLE("NodeUnschedulable"),
  TAINT_TOLERATION("TaintToleration"),
  NODE_AFFINITY("NodeAffinity"),
  NODE_PORTS("NodePorts"),
  NODE_RESOURCES_FIT("NodeResourcesFit"),
  VOLUME_BINDING("VolumeBinding"),
  POD_TOPOLOGY_SPREAD("PodTopologySpread"),
  INTER_POD_AFFINITY("InterPodAffinity"),
  DYNAMIC_RESOURCES("DynamicResources");

  private final String word;

  Plugin(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
