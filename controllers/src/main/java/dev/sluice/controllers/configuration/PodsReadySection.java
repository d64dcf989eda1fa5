package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.Configuration.WaitForPodsReady;
import dev.sluice.controllers.configuration.file.Section;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The section {@code waitForPodsReady}, which since v1beta2 is enabled unless a gate disables it.
 */
final class PodsReadySection {
  private static final Duration OLD_TIMEOUT = Duration.ofMinutes(5);

  private PodsReadySection() {}

  static Optional<WaitForPodsReady> read(Section root, FileVersion version, Set<Gate> gates) {
    Section section = root.section("waitForPodsReady");
    boolean old = version == FileVersion.V1BETA1;
    boolean enabled = !old || section.flag("enable", false);
    WaitForPodsReady settings = read(section, old);
    if (!gates.contains(Gate.DISABLE_WAIT_FOR_PODS_READY) && enabled) {
      return Optional.of(settings);
    }
    section.noEffect(
        enabled ? "the gate DisableWaitForPodsReady is true" : "enable is not true",
        "timeout",
        "blockAdmission",
        "recoveryTimeout",
        "requeuingStrategy");
    return Optional.empty();
  }

  private static WaitForPodsReady read(Section section, boolean old) {
    WaitForPodsReady fallback = WaitForPodsReady.DEFAULT;
    // Since v1beta2 Kueue does not distinguish zero from a field that is not set.
    Duration timeout =
        section
            .duration("timeout")
            .filter(set -> old || !set.isZero())
            .orElse(old ? OLD_TIMEOUT : fallback.timeout());
    Duration recovery = section.duration("recoveryTimeout").orElse(timeout);
    boolean blocks = section.flag("blockAdmission", old);
    Section requeuing = section.section("requeuingStrategy");
    boolean byEviction = requeuing.choice("timestamp", "Eviction", "Creation").equals("Eviction");
    boolean limited = requeuing.has("backoffLimitCount");
    int limit = requeuing.whole("backoffLimitCount", 0, 0);
    int base = requeuing.whole("backoffBaseSeconds", (int) fallback.backoffBase().toSeconds(), 0);
    int max = requeuing.whole("backoffMaxSeconds", (int) fallback.backoffMax().toSeconds(), 0);
    requeuing.end();
    section.end();
    return new WaitForPodsReady(
        timeout,
        blocks,
        recovery.isZero() ? Optional.empty() : Optional.of(recovery),
        byEviction,
        limited ? OptionalInt.of(limit) : OptionalInt.empty(),
        Duration.ofSeconds(base),
        Duration.ofSeconds(max));
  }
}
