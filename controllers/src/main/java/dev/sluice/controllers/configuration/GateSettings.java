package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.file.Findings;
import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.controllers.configuration.file.Suggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The feature gates that are on, from the file or the command line. */
final class GateSettings {
  private static final String FIELD = "featureGates";
  private static final String FLAG = "--feature-gates";
  private static final String TOPOLOGY = "TopologyAwareScheduling";
  private static final String ELASTIC_WITH_TOPOLOGY = "ElasticJobsViaWorkloadSlicesWithTAS";

  private final String origin;
  private final SortedMap<String, Boolean> settings;
  private final Findings findings;

  private GateSettings(String origin, SortedMap<String, Boolean> settings, Findings findings) {
    this.origin = origin;
    this.settings = settings;
    this.findings = findings;
  }

  static Set<Gate> read(Section root, SortedMap<String, Boolean> flags, Findings findings) {
    Section field = root.section(FIELD);
    var inFile = new TreeMap<String, Boolean>();
    for (String name : field.names()) {
      inFile.put(name, field.flag(name, false));
    }
    if (!inFile.isEmpty() && !flags.isEmpty()) {
      root.wrong(FIELD, "cannot be given together with " + FLAG + "; move them to one place");
    }
    return flags.isEmpty()
        ? new GateSettings(FIELD + ".", inFile, findings).enabled()
        : new GateSettings(FLAG + " ", flags, findings).enabled();
  }

  private Set<Gate> enabled() {
    Set<Gate> enabled = EnumSet.noneOf(Gate.class);
    enabled.addAll(Gate.ON_BY_DEFAULT);
    settings.forEach((name, on) -> {
      Optional<Gate> gate = Gate.named(name);
      if (gate.isPresent() && on) {
        enabled.add(gate.get());
      } else if (gate.isPresent()) {
        enabled.remove(gate.get());
      } else {
        warnOf(name, on);
      }
    });
    checkDependencies();
    return Collections.unmodifiableSet(enabled);
  }

  private void warnOf(String name, boolean on) {
    if (GateNames.ALWAYS_ON.contains(name)) {
      warnIf(!on, name, "it cannot be false any more; remove it");
    } else if (GateNames.ALWAYS_OFF.contains(name)) {
      warnIf(on, name, "it cannot be true; remove it");
    } else {
      String unknown = "there is no such gate" + Suggestion.of(name, allNames());
      warnIf(true, name, GateNames.WITHOUT_EFFECT.getOrDefault(name, unknown));
    }
  }

  private void warnIf(boolean holds, String name, String why) {
    if (holds) {
      findings.warn(origin + name, "has no effect: " + why);
    }
  }

  private void checkDependencies() {
    for (String name : settings.keySet()) {
      if (name.startsWith("TAS") || name.equals(ELASTIC_WITH_TOPOLOGY)) {
        checkDependency(name, TOPOLOGY);
      }
    }
    checkDependency(ELASTIC_WITH_TOPOLOGY, Gate.ELASTIC_JOBS.word());
  }

  private void checkDependency(String name, String needed) {
    if (settings.getOrDefault(name, false) && !settings.getOrDefault(needed, true)) {
      findings.wrong(origin + name, "true needs %s, which is false".formatted(needed));
    }
  }

  private static List<String> allNames() {
    var names = new ArrayList<>(GateNames.WITHOUT_EFFECT.keySet());
    names.addAll(GateNames.ALWAYS_ON);
    names.addAll(GateNames.ALWAYS_OFF);
    Arrays.stream(Gate.values()).map(Gate::word).forEach(names::add);
    return names;
  }
}
