package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.file.NameRules;
import dev.sluice.controllers.configuration.file.Section;

/** The sections for features of Kueue that Sluice does not have: validated, with warnings. */
final class LaterSections {
  private LaterSections() {}

  static void read(Section root, FileVersion version) {
    Section section = root.section("multiKueue");
    section.duration("gcInterval");
    section.duration("workerLostTimeout");
    String origin = section.text("origin", "multikueue");
    if (!NameRules.isLabelValue(origin)) {
      section.wrong("origin", "\"%s\" is not the value of a label".formatted(origin));
    }
    section.noEffect(
        "MultiKueue is not part of Sluice yet",
        "gcInterval",
        "origin",
        "workerLostTimeout",
        "dispatcherName",
        "externalFrameworks",
        "clusterProfile",
        "incrementalDispatcherConfig");
    section.end();
    if (version == FileVersion.V1BETA1) {
      root.noEffect("ask the visibility API instead", "queueVisibility");
    }
  }
}
