package dev.sluice.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.tree.MalformedText;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class InvalidScenarioTest {
  private static final String TEMPLATE = "template: {spec: {}}";

  /**
   * @param spec of a Scenario object, from line 5 on
   * @param message which begins with the line
   */
  record Case(String name, String spec, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "an unknown field",
              "horizn: 3h",
              "line 5: spec.horizn: there is no such field; did you mean horizon?"),
          new Case(
              "an invalid time", "horizon: soon", "line 5: spec.horizon: \"soon\" does not fit;"),
          new Case("a time of zero", "horizon: 0s", "a time above zero such as 90s"),
          new Case(
              "a negative count",
              "nodePools:\n  - {name: a, count: -3, resources: {cpu: 1}}",
              "line 6: spec.nodePools[0].count: -3 must be at least 0"),
          new Case(
              "a count beyond sense",
              "nodePools:\n  - {name: a, count: 99999999999, resources: {cpu: 1}}",
              "count: 99999999999 must be at most 1000000"),
          new Case(
              "a count that is a string",
              "nodePools: [{name: a, count: many, resources: {cpu: 1}}]",
              "count: \"many\" is a string; it must be an integer"),
          new Case(
              "an invalid quantity",
              "nodePools: [{name: a, count: 1, resources: {cpu: four}}]",
              "line 5: spec.nodePools[0].resources.cpu: \"four\" is no amount"),
          new Case(
              "a pool that goes before it comes",
              "nodePools: [{name: a, count: 1, resources: {}, from: 2h, until: 1h}]",
              "nodePools[0].until: it must be later than from"),
          new Case(
              "two pools with one name",
              "nodePools: [{name: a, count: 1, resources: {}}, {name: a, count: 1, resources: {}}]",
              "nodePools[1].name: \"a\" is the name of another one too"),
          new Case(
              "a missing field",
              "nodePools: [{name: a, resources: {cpu: 1}}]",
              "nodePools[0].count: it is required"),
          new Case(
              "a negative rate",
              "jobs: [{name: j, arrivals: {poisson: {perHour: -1, count: 3}}, " + TEMPLATE + "}]",
              "arrivals.poisson.perHour: -1 must be above 0"),
          new Case(
              "arrivals without an end",
              "jobs: [{name: j, arrivals: {poisson: {perHour: 1}}, " + TEMPLATE + "}]",
              "it needs a count or until"),
          new Case(
              "too many arrivals",
              "jobs: [{name: j, arrivals: {poisson: {perHour: 1000000, until: 9000h}}, "
                  + TEMPLATE
                  + "}]",
              "jobs; there may be 1000000"),
          new Case(
              "two processes of arrivals",
              "jobs: [{name: j, arrivals: {fixed: {count: 1}, poisson: {perHour: 1, count: 1}}, "
                  + TEMPLATE
                  + "}]",
              "it has 2 entries; it must have exactly 1 (when jobs are submitted"),
          new Case(
              "an unknown distribution",
              "podStartDelay: {gaussian: {mean: 1s}}",
              "podStartDelay.gaussian: there is no such field"),
          new Case(
              "a uniform distribution upside down",
              "podStartDelay: {uniform: {min: 3s, max: 2s}}",
              "uniform.max: it must not be below min"),
          new Case(
              "a negative sigma",
              "podStartDelay: {logNormal: {median: 1s, sigma: -1}}",
              "sigma: -1 must be at least 0"),
          new Case(
              "an unknown group of controllers",
              "clients: [{controllers: [job], qps: 1, burst: 1}]",
              "\"job\" is unknown; did you mean jobs?"),
          new Case(
              "the same seed twice", "seeds: [1, 2, 1]", "seeds: each seed is played only once"),
          new Case("no seeds", "seeds: []", "seeds: it has 0 entries; it must have at least 1"),
          new Case(
              "a fault of two kinds",
              "faults: [{apiOutage: {}, controllerRestart: {}, at: [1m], for: 1m}]",
              "faults[0]: it must have exactly one of nodeDown"),
          new Case(
              "a fault at no time",
              "faults: [{apiOutage: {}, for: 1m}]",
              "a fault has either at or perDay"),
          new Case(
              "an outage without length",
              "faults: [{apiOutage: {}, at: [1m]}]",
              "faults[0].for: it is required"),
          new Case(
              "an unknown pool",
              "nodePools: [{name: large, count: 1, resources: {}}]\n"
                  + "faults: [{nodeDown: {pool: lage}, at: [1m], for: 1m}]",
              "line 6: spec.faults[0].nodeDown.pool: there is no node pool \"lage\"; did you mean"
                  + " large?"),
          new Case(
              "more nodes down than there are",
              "nodePools: [{name: a, count: 1, resources: {}}]\n"
                  + "faults: [{nodeDown: {pool: a, count: 2}, at: [1m], for: 1m}]",
              "2 nodes of a cannot go down: it has 1"),
          new Case(
              "a variant that names nothing",
              "variants: [{name: v, patches: [{kind: ConfigMap, name: mp, patch: {}}]}]",
              "line 5: spec.variants[0].patches[0].name: there is no ConfigMap \"mp\"; did you mean"
                  + " map?"),
          new Case(
              "a variant of an unknown kind",
              "variants: [{name: v, patches: [{kind: ConfigMp, name: map, patch: {}}]}]",
              "there is no kind \"ConfigMp\"; did you mean ConfigMap?"),
          new Case(
              "a replacement of nothing",
              "variants: [{name: v, replacements: [{apiVersion: v1, kind: Secret, metadata: {name:"
                  + " s}}]}]",
              "replacements[0].metadata: there is no kind \"Secret\""),
          new Case(
              "an unknown expectation",
              "expectations: [{jobsFaild: 0}]",
              "there is no such field; did you mean jobsFailed?"),
          new Case(
              "an expectation of two measures",
              "expectations: [{jobsFailed: 0, preemptions: 0}]",
              "an expectation has exactly one of"),
          new Case(
              "an expectation that cannot fail",
              "expectations: [{wait: {queue: q}}]",
              "it has no bound, so it could not fail"),
          new Case(
              "an impossible expectation",
              "expectations: [{makespan: {atLeast: 10m, below: 5m}}]",
              "nothing is at least 10m and below 5m"),
          new Case(
              "a share above all",
              "expectations: [{share: {queue: q, atLeast: 140%}}]",
              "it must be a part from 0% to 100%"),
          new Case(
              "an expectation of an unknown variant",
              "variants: [{name: fair}]\nexpectations: [{variants: [far], jobsFailed: 0}]",
              "there is no variant \"far\"; did you mean fair?"));

  @ParameterizedTest
  @FieldSource("CASES")
  void isRefusedWithItsLineAndField(Case c) {
    assertThatThrownBy(() -> Scenario.parse(scenario(c.spec())))
        .isInstanceOf(MalformedText.class)
        .hasMessageStartingWith("line ")
        .hasMessageContaining(c.message());
  }

  private static String scenario(String spec) {
    return """
    apiVersion: sluice.dev/v1alpha1
    kind: Scenario
    metadata: {name: s}
    spec:
    %s
    ---
    {apiVersion: v1, kind: ConfigMap, metadata: {name: map}}
    """
        .formatted(spec.indent(2).stripTrailing());
  }

  /** Whole files. */
  static final List<Case> FILES =
      List.of(
          new Case(
              "two Scenario objects",
              "{apiVersion: sluice.dev/v1alpha1, kind: Scenario, metadata: {name: a}}\n---\n"
                  + "{apiVersion: sluice.dev/v1alpha1, kind: Scenario, metadata: {name: b}}",
              "line 3: Scenario b is the second Scenario object; a file has at most one"),
          new Case(
              "another kind of ours",
              "{apiVersion: sluice.dev/v1alpha1, kind: Senario, metadata: {name: a}}",
              "line 1: kind: \"Senario\" is unknown; did you mean Scenario?"),
          new Case(
              "another version",
              "{apiVersion: sluice.dev/v1, kind: Scenario, metadata: {name: a}}",
              "apiVersion: \"sluice.dev/v1\" is unknown; it must be sluice.dev/v1alpha1"),
          new Case(
              "a step at no time",
              "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n---\n"
                  + "{apiVersion: v1, kind: ConfigMap, metadata: {name: m, annotations:"
                  + " {sluice.dev/at: soon}}}",
              "line 3: ConfigMap m: annotation sluice.dev/at is \"soon\""),
          new Case("no object", "a: 1\n---\n- b", "line 1: document 1 has no apiVersion"));

  @ParameterizedTest
  @FieldSource("FILES")
  void isRefusedWithItsLine(Case c) {
    assertThatThrownBy(() -> Scenario.parse(c.spec()))
        .isInstanceOf(MalformedText.class)
        .hasMessageContaining(c.message());
  }
}
