package dev.sluice.controllers.nodes.usage;

import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.model.ApiException;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.AdmissionHook;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class UsageRulesTest {

  record Wrong(ResourceKind kind, String spec, String want) {}

  private static String metric(String fields) {
    return "path: /metrics/x, metrics: [{%s}]".formatted(fields);
  }

  static final List<Wrong> WRONG =
      List.of(
          new Wrong(
              Kinds.RESOURCE_USAGE,
              "usages: [{usage: {cpu: {value: lots}}}]",
              "ResourceUsage.kwok.x-k8s.io \"x\" is invalid: spec.usages[0].usage[cpu].value:"
                  + " Invalid value: \"lots\": must be a quantity that is not negative"),
          new Wrong(
              Kinds.RESOURCE_USAGE,
              "usages: [{usage: {cpu: {value: -1}}}]",
              "spec.usages[0].usage[cpu].value: Invalid value: -1: must be a quantity"),
          new Wrong(
              Kinds.CLUSTER_RESOURCE_USAGE,
              "usages: [{usage: {cpu: {}}}]",
              "spec.usages[0].usage[cpu]: Required value: give a value or an expression"),
          new Wrong(
              Kinds.CLUSTER_RESOURCE_USAGE,
              "usages: [{usage: {cpu: {expression: 'pod.'}}}]",
              "spec.usages[0].usage[cpu].expression: Invalid value: \"pod.\": it is no CEL"),
          new Wrong(
              Kinds.CLUSTER_RESOURCE_USAGE,
              "usages: [{usage: {cpu: {expression: 'pod.Usage(\"cpu\")'}}}]",
              "undeclared reference to 'Usage'"),
          new Wrong(
              Kinds.METRIC,
              "path: /elsewhere",
              "spec.path: Invalid value: \"/elsewhere\": must begin with /metrics/"),
          new Wrong(
              Kinds.METRIC, metric("name: a-b, kind: gauge, value: '1'"), "spec.metrics[0].name"),
          new Wrong(
              Kinds.METRIC,
              metric("name: a, kind: summary, value: '1'"),
              "supported values: \"counter\", \"gauge\", \"histogram\""),
          new Wrong(
              Kinds.METRIC,
              metric("name: a, kind: gauge, value: '1', dimension: rack"),
              "spec.metrics[0].dimension: Unsupported value: \"rack\""),
          new Wrong(
              Kinds.METRIC,
              metric("name: a, kind: gauge"),
              "spec.metrics[0].value: Required value: give an expression in CEL"),
          new Wrong(
              Kinds.METRIC,
              metric("name: a, kind: gauge, value: '1', labels: [{name: b, value: c}]"),
              "spec.metrics[0].labels[0].value: Invalid value: \"c\""),
          new Wrong(
              Kinds.METRIC,
              metric("name: a, kind: gauge, value: '1', labels: [{name: 1b, value: '\"c\"'}]"),
              "spec.metrics[0].labels[0].name: Invalid value: \"1b\""),
          new Wrong(
              Kinds.METRIC,
              metric("name: a, kind: histogram"),
              "spec.metrics[0].buckets: Required value: a histogram needs them"));

  private static AdmissionHook rules(ResourceKind kind) {
    return UsageRules.all().stream()
        .filter(hook -> hook.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @FieldSource("WRONG")
  void refuses(Wrong c) {
    var object = yaml("{metadata: {name: x}, spec: {%s}}".formatted(c.spec()));

    ApiException refused =
        catchThrowableOfType(ApiException.class, () -> rules(c.kind()).checkCreate(object));

    assertThat(refused).as("nothing was refused").isNotNull();
    assertThat(refused).hasMessageContaining(c.want());
  }

  @Test
  void ourOwnAreGood() {
    OwnDocuments.USAGE.forEach(rules(Kinds.CLUSTER_RESOURCE_USAGE)::checkCreate);
    OwnDocuments.METRICS.forEach(rules(Kinds.METRIC)::checkCreate);
  }

  @Test
  void whatWasWrongBeforeCanBeChanged() {
    var wrong = yaml("{metadata: {name: x}, spec: {path: /elsewhere}}");

    rules(Kinds.METRIC).checkUpdate(wrong, wrong.withLabel("a", "b"));
  }
}
