package dev.sluice.apiserver.http.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSelectorTest {
  private static final ApiObject POD =
      ApiObject.of(
          Yaml.parseAll(
                  """
                  metadata: {name: p, namespace: dev}
                  spec: {nodeName: n1, hostNetwork: true}
                  status: {phase: Running, podIPs: [{ip: 10.0.0.1}, {ip: "fd00::1"}]}
                  """)
              .getFirst());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|true",
        "metadata.name=p|true",
        "metadata.name==p|true",
        "metadata.name!=p|false",
        "metadata.namespace=dev,metadata.name=p|true",
        "metadata.namespace=prod,metadata.name=p|false",
        "spec.nodeName=n1|true",
        "spec.host=n1|true",
        "spec.nodeName!=n2|true",
        "spec.schedulerName=|true",
        "spec.hostNetwork=true|true",
        "status.phase!=Succeeded,status.phase!=Failed|true",
        "'status.podIPs=10.0.0.1\\,fd00::1'|true"
      })
  void fieldSelectorsMatch(String selector, boolean want) {
    FieldSelector fields = FieldSelector.parse(selector, SelectableFields.ofBuiltIn(Kinds.POD));

    assertThat(fields.matches(POD)).isEqualTo(want);
  }

  @ParameterizedTest
  @CsvSource({"{},0,true", "{succeeded: 3},3,true", "{succeeded: 3},0,false"})
  void jobsAreSelectedByTheirSuccesses(String status, String successful, boolean want) {
    ApiObject job = ApiObject.of(Yaml.parseAll("{status: " + status + "}").getFirst());
    FieldSelector fields =
        FieldSelector.parse(
            "status.successful=" + successful, SelectableFields.ofBuiltIn(Kinds.JOB));

    assertThat(fields.matches(job)).isEqualTo(want);
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec.color=red", "metadata.name", "=x", "metadata.name in (a)"})
  void fieldSelectorsThatAreNoneAreRefused(String selector) {
    assertBadRequest(() -> FieldSelector.parse(selector, SelectableFields.ofBuiltIn(Kinds.POD)));
  }

  @Test
  void declaredFieldsCanBeSelectedByWhateverScalarTheyHold() {
    var object = ApiObject.of(Yaml.parseAll("spec: {size: 3, on: true, deep: {x: 1}}").getFirst());
    var fields = SelectableFields.of(Kinds.WORKLOAD, List.of("spec.size", "spec.on", "spec.deep"));

    assertThat(FieldSelector.parse("spec.size=3,spec.on=true", fields).matches(object)).isTrue();
    assertThat(FieldSelector.parse("spec.deep=", fields).matches(object)).isTrue();
  }

  private static void assertBadRequest(ThrowableAssert.ThrowingCallable parse) {
    assertThatThrownBy(parse)
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.is(Reason.BAD_REQUEST)).isTrue());
  }
}
