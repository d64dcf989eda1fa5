package dev.sluice.engine.quota;

/** A resource of one flavor: the unit in which quota is given. */
public record FlavorResource(String flavor, String resource) implements Comparable<FlavorResource> {
  @Override
  public int compareTo(FlavorResource other) {
    int order = flavor.compareTo(other.flavor);
    return order != 0 ? order : resource.compareTo(other.resource);
  }
}
