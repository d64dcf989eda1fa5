package dev.sluice.controllers.configuration.scheduler;

import dev.sluice.controllers.configuration.file.NameRules;
import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.engine.scheduling.framework.Profile.FitRules;
import dev.sluice.engine.scheduling.framework.ResourceScoring;
import dev.sluice.engine.scheduling.framework.ResourceScoring.ResourceWeight;
import dev.sluice.engine.scheduling.framework.ResourceScoring.ShapePoint;
import dev.sluice.engine.scheduling.framework.ResourceScoring.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The arguments of NodeResourcesFit. */
final class FitArguments {
  private static final String RATIO = "requestedToCapacityRatio";
  private static final String GROUPS = "ignoredResourceGroups";

  /** The replacement of an invalid shape, which is reported. */
  private static final List<ShapePoint> FLAT = List.of(new ShapePoint(0, 0));

  private FitArguments() {}

  static FitRules read(Section arguments) {
    List<String> resources = arguments.texts("ignoredResources");
    List<String> groups = arguments.texts(GROUPS);
    for (String resource : resources) {
      if (!NameRules.isQualified(resource)) {
        arguments.wrong(
            "ignoredResources", "\"%s\" is not the name of a resource".formatted(resource));
      }
    }
    for (String group : groups) {
      if (group.contains("/") || !NameRules.isQualified(group)) {
        arguments.wrong(
            GROUPS,
            "\"%s\" is not the part of a resource's name before the slash".formatted(group));
      }
    }
    return new FitRules(
        scoring(arguments.section("scoringStrategy")),
        new TreeSet<>(resources),
        new TreeSet<>(groups));
  }

  private static ResourceScoring scoring(Section section) {
    String type =
        section.choice(
            "type",
            Strategy.LEAST_ALLOCATED.word(),
            Strategy.MOST_ALLOCATED.word(),
            Strategy.REQUESTED_TO_CAPACITY_RATIO.word());
    if (!section.has("type") && !section.tree().isEmpty()) {
      section.wrong("type", "is missing");
    }
    List<ResourceWeight> resources = resources(section, 100);
    boolean byRatio = type.equals(Strategy.REQUESTED_TO_CAPACITY_RATIO.word());
    List<ShapePoint> shape = byRatio ? shape(section.section(RATIO)) : List.of();
    if (!byRatio && section.has(RATIO)) {
      section.wrong(RATIO, "must not be given where the type is " + type);
    }
    section.end();
    return new ResourceScoring(strategy(type), resources, shape);
  }

  private static Strategy strategy(String word) {
    for (Strategy strategy : Strategy.values()) {
      if (strategy.word().equals(word)) {
        return strategy;
      }
    }
    return Strategy.LEAST_ALLOCATED;
  }

  /** The resources that count, by default cpu and memory. A weight of 0 means 1. */
  static List<ResourceWeight> resources(Section section, int maxWeight) {
    var resources = new ArrayList<ResourceWeight>();
    for (Section entry : section.sections("resources")) {
      String name = entry.text("name", "");
      if (!NameRules.isQualified(name)) {
        entry.wrong("name", "\"%s\" is not the name of a resource".formatted(name));
      }
      int weight = entry.whole("weight", 1, 0, maxWeight);
      resources.add(new ResourceWeight(name, Math.max(1, weight)));
      entry.end();
    }
    return resources.isEmpty() ? ResourceScoring.USUAL_RESOURCES : resources;
  }

  private static List<ShapePoint> shape(Section ratio) {
    var shape = new ArrayList<ShapePoint>();
    for (Section entry : ratio.sections("shape")) {
      var point =
          new ShapePoint(entry.whole("utilization", 0, 0, 100), entry.whole("score", 0, 0, 10));
      if (!shape.isEmpty() && point.utilization() <= shape.getLast().utilization()) {
        entry.wrong(
            "utilization",
            "%d is not above that of the point before".formatted(point.utilization()));
      }
      shape.add(point);
      entry.end();
    }
    if (shape.isEmpty()) {
      ratio.wrong("shape", "needs at least one point with utilization and score");
    }
    ratio.end();
    return shape.isEmpty() ? FLAT : shape;
  }
}
