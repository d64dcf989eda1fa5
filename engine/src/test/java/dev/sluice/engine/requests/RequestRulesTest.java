package dev.sluice.engine.requests;

import static dev.sluice.engine.requests.PodText.pod;
import static dev.sluice.engine.requests.PodText.ranges;
import static dev.sluice.engine.requests.PodText.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantities;
import dev.sluice.model.core.RuntimeClass;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.tree.Tree;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** How much quota a pod asks for. */
class RequestRulesTest {
  record CompletionCase(String name, String pod, List<String> limits, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String DEFAULTS =
      "{type: Container, default: {cpu: 4}, defaultRequest: {cpu: 1, memory: 1k}}";

  static final List<CompletionCase> COMPLETIONS =
      List.of(
          new CompletionCase("nothing said, nothing asked", "{}", List.of(), "{}"),
          new CompletionCase(
              "a limit is a missing request",
              "{requests: {memory: 5}, limits: {cpu: 2, memory: 9}}",
              List.of(),
              "{cpu=2000, memory=5}"),
          new CompletionCase(
              "defaults of the namespace", "{}", List.of(DEFAULTS), "{cpu=1000, memory=1000}"),
          new CompletionCase(
              "own requests win over defaults",
              "{requests: {cpu: 3}}",
              List.of(DEFAULTS),
              "{cpu=3000, memory=1000}"),
          new CompletionCase(
              "an own limit is the request before a default is",
              "{limits: {cpu: 100}}",
              List.of(DEFAULTS),
              "{cpu=100000, memory=1000}"),
          new CompletionCase(
              "a default limit is a missing request",
              "{}",
              List.of("{type: Container, default: {cpu: 4}}"),
              "{cpu=4000}"),
          new CompletionCase(
              "a maximum is a default limit",
              "{}",
              List.of("{type: Container, max: {cpu: 6}}"),
              "{cpu=6000}"),
          new CompletionCase(
              "a minimum is a default request",
              "{}",
              List.of("{type: Container, min: {cpu: 1}}"),
              "{cpu=1000}"),
          new CompletionCase(
              "the first of two defaults",
              "{}",
              List.of(
                  "{type: Container, defaultRequest: {cpu: 1}}",
                  "{type: Container, defaultRequest: {cpu: 2, memory: 3}}"),
              "{cpu=1000, memory=3}"),
          new CompletionCase(
              "other types say nothing about containers",
              "{}",
              List.of("{type: Pod, max: {cpu: 6}}", "{type: PersistentVolumeClaim, max: {cpu: 6}}"),
              "{}"));

  @ParameterizedTest
  @FieldSource("COMPLETIONS")
  void completesPods(CompletionCase c) {
    PodSpec pod = pod("containers: [{name: a, resources: %s}]".formatted(c.pod()));

    var amounts = RequestRules.NONE.perPod(pod, ranges(c.limits()), Optional.empty());

    assertThat(amounts.byResource()).hasToString(c.want());
  }

  @Test
  void completesInitContainersAndThePodItself() {
    PodSpec pod =
        pod(
            """
            resources: {limits: {cpu: 7}}
            initContainers: [{name: i}]
            containers: [{name: a, resources: {requests: {memory: 500}}}]
            """);

    var amounts = RequestRules.NONE.perPod(pod, ranges(List.of(DEFAULTS)), Optional.empty());

    assertThat(amounts.byResource()).hasToString("{cpu=7000, memory=1000}");
  }

  record OverheadCase(String name, String pod, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<OverheadCase> OVERHEADS =
      List.of(
          new OverheadCase("of the class", "{runtimeClassName: vm}", "{cpu=250, memory=100}"),
          new OverheadCase("own", "{runtimeClassName: vm, overhead: {cpu: 1}}", "{cpu=1000}"),
          new OverheadCase("no class named", "{containers: []}", "{}"));

  @ParameterizedTest
  @FieldSource("OVERHEADS")
  void addsTheOverheadOfTheRuntimeClass(OverheadCase c) {
    var runtimeClass =
        new RuntimeClass(
            new ApiObject(tree("overhead: {podFixed: {cpu: 250m, memory: '100'}}\nhandler: vm")));

    var amounts = RequestRules.NONE.perPod(pod(c.pod()), List.of(), Optional.of(runtimeClass));

    assertThat(amounts.byResource()).hasToString(c.want());
  }

  record RuleCase(String name, RequestRules rules, String requests, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<RuleCase> RULES =
      List.of(
          new RuleCase(
              "excluded by prefix",
              new RequestRules(List.of("example.com/", "mem"), List.of()),
              "{cpu: 1, memory: 5, example.com/net: 3, other.example.com/net: 4}",
              "{cpu=1000, other.example.com/net=4}"),
          new RuleCase(
              "what is excluded is not transformed",
              new RequestRules(List.of("mig"), List.of(replace("mig", "memory", "5Gi"))),
              "{cpu: 1, mig: 2}",
              "{cpu=1000}"),
          new RuleCase(
              "replaced", rules(replace("mig", "gpu-memory", "5")), "{mig: 2}", "{gpu-memory=10}"),
          new RuleCase(
              "retained",
              rules(retain("mig", "gpu-memory", "5")),
              "{mig: 2}",
              "{gpu-memory=10, mig=2}"),
          new RuleCase(
              "replaced by nothing",
              rules(new Transformation("mig", true, "", Quantities.NONE)),
              "{cpu: 1, mig: 2}",
              "{cpu=1000}"),
          new RuleCase(
              "input not asked for", rules(replace("mig", "x", "5")), "{cpu: 1}", "{cpu=1000}"),
          new RuleCase(
              "outputs of several inputs add up, also to what was asked",
              rules(replace("a", "credits", "10"), replace("b", "credits", "1")),
              "{a: 2, b: 3, credits: 100}",
              "{credits=123}"),
          new RuleCase(
              "an output is no input",
              rules(replace("a", "b", "2"), replace("b", "c", "2")),
              "{a: 1}",
              "{b=2}"),
          new RuleCase(
              "multiplied",
              rules(new Transformation("percent", true, "gpu", outputs("share", "10m"))),
              "{percent: 50, gpu: 4}",
              "{gpu=4, share=2}"),
          new RuleCase(
              "multiplied by what is not asked for",
              rules(new Transformation("percent", true, "gpu", outputs("share", "100m"))),
              "{percent: 50}",
              "{share=5}"),
          new RuleCase(
              "cpu is counted in cores by factors, in thousandths by quota",
              rules(retain("cpu", "credits", "3")),
              "{cpu: 1500m}",
              "{cpu=1500, credits=5}"),
          new RuleCase("to cpu", rules(replace("slot", "cpu", "100u")), "{slot: 15}", "{cpu=2}"),
          new RuleCase(
              "rounded up once, at the end",
              rules(retain("a", "x", "0.4"), retain("b", "x", "0.4")),
              "{a: 1, b: 1}",
              "{a=1, b=1, x=1}"),
          new RuleCase(
              "discounts end at zero and do not eat what was asked",
              rules(retain("a", "x", "-5"), retain("b", "x", "1")),
              "{a: 1, b: 1, x: 3}",
              "{a=1, b=1, x=3}"),
          new RuleCase(
              "below zero", RequestRules.NONE, "{cpu: '-3', memory: 1}", "{cpu=0, memory=1}"),
          new RuleCase(
              "more than can be counted",
              rules(replace("a", "x", "1e300")),
              "{a: '1e300'}",
              "{x=" + Long.MAX_VALUE + "}"));

  @ParameterizedTest
  @FieldSource("RULES")
  void countsByTheRules(RuleCase c) {
    PodSpec pod = pod("containers: [{name: a, resources: {requests: %s}}]".formatted(c.requests()));

    var amounts = c.rules().perPod(pod, List.of(), Optional.empty());

    assertThat(amounts.byResource()).hasToString(c.want());
  }

  private static RequestRules rules(Transformation... transformations) {
    return new RequestRules(List.of(), Arrays.asList(transformations));
  }

  private static Transformation replace(String input, String output, String factor) {
    return new Transformation(input, true, "", outputs(output, factor));
  }

  private static Transformation retain(String input, String output, String factor) {
    return new Transformation(input, false, "", outputs(output, factor));
  }

  private static Quantities outputs(String output, String factor) {
    return Quantities.of(Tree.of(output, factor));
  }
}
