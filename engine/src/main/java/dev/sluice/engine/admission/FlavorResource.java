package dev.sluice.engine.admission;

import java.util.Comparator;

/** What quota is counted in: a resource in a flavor. */
public record FlavorResource(String flavor, String resource) implements Comparable<FlavorResource> {
  private static final Comparator<FlavorResource> ORDER =
      Comparator.comparing(FlavorResource::flavor).thenComparing(FlavorResource::resource);

  @Override
  public int compareTo(FlavorResource other) {
    return ORDER.compare(this, other);
  }
}
