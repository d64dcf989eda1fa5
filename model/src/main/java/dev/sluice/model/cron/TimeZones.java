package dev.sluice.model.cron;

import java.time.ZoneId;
import java.time.zone.ZoneRulesProvider;
import java.util.Optional;

/** The zones of the tz database, by the names it gives them. */
public final class TimeZones {
  private TimeZones() {}

  /** The zone with a name; offsets such as {@code +01:00} and {@code GMT+1} are not names. */
  public static Optional<ZoneId> find(String name) {
    boolean known = ZoneRulesProvider.getAvailableZoneIds().contains(name);
    return known ? Optional.of(ZoneId.of(name)) : Optional.empty();
  }
}
