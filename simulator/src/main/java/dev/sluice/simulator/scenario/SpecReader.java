package dev.sluice.simulator.scenario;

import dev.sluice.controllers.configuration.file.Suggestion;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.simulator.load.Arrivals;
import dev.sluice.simulator.load.Times;
import dev.sluice.simulator.load.TraceJob;
import dev.sluice.simulator.load.Traces;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Reads a Scenario object that follows the {@link Schema}, and checks what a schema cannot say.
 * Throws {@link InvalidField}.
 */
final class SpecReader {
  private static final double MAX_JOBS = 1_000_000;
  private static final double DEFAULT_AMPLITUDE = 0.8;
  private static final Duration DEFAULT_PEAK = Duration.ofHours(14);

  private final Function<String, String> files;

  /**
   * @param files the text of a file that the scenario names
   */
  SpecReader(Function<String, String> files) {
    this.files = files;
  }

  ScenarioSpec read(Tree object) {
    Section spec = new Section(object.tree("spec"), List.of("spec"));
    List<NodePool> pools = spec.each("nodePools", SpecReader::pool);
    List<JobLoad> jobs = spec.each("jobs", this::load);
    List<Variant> variants = spec.each("variants", SpecReader::variant);
    requireUnique(spec, "nodePools", pools.stream().map(NodePool::name).toList());
    requireUnique(spec, "jobs", jobs.stream().map(JobLoad::name).toList());
    requireUnique(spec, "variants", variants.stream().map(Variant::name).toList());
    List<Fault> faults = spec.each("faults", section -> new FaultReader(pools).read(section));
    List<String> names = variants.stream().map(Variant::name).toList();
    return new ScenarioSpec(
        object.text("metadata", "name"),
        seeds(spec),
        spec.time("horizon"),
        spec.text("unfinishedJobs").equals("Allowed"),
        pools,
        jobs,
        spec.tree().has("podStartDelay")
            ? Optional.of(times(spec.section("podStartDelay")))
            : Optional.empty(),
        spec.each("clients", SpecReader::client),
        faults,
        variants,
        spec.each("expectations", section -> new ExpectationReader(names).read(section)));
  }

  private static void requireUnique(Section spec, String field, List<String> names) {
    for (int i = 0; i < names.size(); i++) {
      if (names.indexOf(names.get(i)) < i) {
        throw spec.section(field, i)
            .invalid("name", "\"%s\" is the name of another one too".formatted(names.get(i)));
      }
    }
  }

  private static List<Long> seeds(Section spec) {
    var seeds = new ArrayList<Long>();
    for (Value seed : spec.tree().items("seeds")) {
      seeds.add(((Value.Whole) seed).value());
    }
    if (new TreeSet<>(seeds).size() < seeds.size()) {
      throw spec.invalid("seeds", "each seed is played only once");
    }
    return seeds;
  }

  private static NodePool pool(Section pool) {
    Section resources = pool.section("resources");
    for (String resource : resources.tree().names()) {
      Value value = resources.tree().at(resource);
      String text = value instanceof Value.Text(String written) ? written : value.toString();
      if (Quantity.parse(text).filter(amount -> !amount.isNegative()).isEmpty()) {
        throw resources.invalid(
            resource, "%s is no amount; write it like 500m, 2 or 4Gi".formatted(value));
      }
    }
    Duration from = pool.time("from").orElse(Duration.ZERO);
    Optional<Duration> until = pool.time("until");
    requireLater(pool, from, until);
    return new NodePool(
        pool.text("name"),
        pool.count("count").orElse(0),
        resources.tree(),
        pool.tree().tree("labels"),
        pool.tree().trees("taints"),
        from,
        until);
  }

  private static void requireLater(Section section, Duration from, Optional<Duration> until) {
    if (until.filter(end -> end.compareTo(from) <= 0).isPresent()) {
      throw section.invalid("until", "it must be later than from");
    }
  }

  private JobLoad load(Section jobs) {
    return new JobLoad(
        jobs.text("name"),
        arrivals(jobs.section("arrivals")),
        jobs.tree().has("duration")
            ? Optional.of(times(jobs.section("duration")))
            : Optional.empty(),
        jobs.tree().flag("runsOnceAllPodsAreReady"),
        jobs.tree().tree("template"));
  }

  private Arrivals arrivals(Section arrivals) {
    String process = arrivals.tree().nameAt(0);
    Section fields = arrivals.section(process);
    Duration from = fields.time("from").orElse(Duration.ZERO);
    return switch (process) {
      case "fixed" ->
          new Arrivals.Fixed(
              fields.count("count").orElse(0), fields.time("every").orElse(Duration.ZERO), from);
      case "poisson" -> new Arrivals.Poisson(fields.number("perHour"), from, end(fields, from));
      case "diurnal" ->
          new Arrivals.Diurnal(
              fields.number("perHour"),
              fields.time("peak").orElse(DEFAULT_PEAK),
              fields.tree().has("amplitude") ? fields.number("amplitude") : DEFAULT_AMPLITUDE,
              from,
              end(fields, from));
      default -> new Arrivals.Trace(trace(fields), from);
    };
  }

  private static Arrivals.End end(Section fields, Duration from) {
    OptionalInt count = fields.count("count");
    Optional<Duration> until = fields.time("until");
    if (count.isEmpty() && until.isEmpty()) {
      throw fields.invalid("count", "it needs a count or until, or it would never end");
    }
    requireLater(fields, from, until);
    double jobs =
        until.map(end -> fields.number("perHour") * end.minus(from).toSeconds() / 3600).orElse(0.0);
    if (count.isEmpty() && jobs > MAX_JOBS) {
      throw fields.invalid(
          "perHour", "that is about %.0f jobs; there may be %.0f".formatted(jobs, MAX_JOBS));
    }
    return new Arrivals.End(count, until);
  }

  private List<TraceJob> trace(Section fields) {
    String file = fields.text("file");
    try {
      return Traces.read(file, files.apply(file), fields.count("processorsPerPod").orElse(1));
    } catch (MalformedText malformed) {
      throw fields.invalid("file", String.valueOf(malformed.getMessage()));
    }
  }

  private static Times times(Section times) {
    String distribution = times.tree().nameAt(0);
    if (distribution.equals("fixed")) {
      return new Times.Fixed(times.time("fixed").orElse(Duration.ZERO));
    }
    Section fields = times.section(distribution);
    return switch (distribution) {
      case "uniform" -> {
        Duration min = fields.time("min").orElse(Duration.ZERO);
        Duration max = fields.time("max").orElse(Duration.ZERO);
        if (max.compareTo(min) < 0) {
          throw fields.invalid("max", "it must not be below min");
        }
        yield new Times.Uniform(min, max);
      }
      case "exponential" -> new Times.Exponential(fields.time("mean").orElse(Duration.ZERO));
      default ->
          new Times.LogNormal(fields.time("median").orElse(Duration.ZERO), fields.number("sigma"));
    };
  }

  private static ClientLimit client(Section client) {
    return new ClientLimit(
        client.tree().textItems("controllers"),
        client.number("qps"),
        client.count("burst").orElse(1));
  }

  private static Variant variant(Section variant) {
    List<Variant.Patch> patches =
        variant.each(
            "patches",
            patch ->
                new Variant.Patch(
                    patch.text("kind"),
                    patch.text("name"),
                    patch.text("namespace"),
                    patch.tree().tree("patch")));
    return new Variant(
        variant.text("name"),
        patches,
        variant.tree().trees("replacements").stream().map(ApiObject::new).toList());
  }

  /** What is said about a name that is not one of those it should be. */
  static String unknown(String name, String what, List<String> known) {
    return "there is no %s \"%s\"%s".formatted(what, name, Suggestion.of(name, known));
  }
}
