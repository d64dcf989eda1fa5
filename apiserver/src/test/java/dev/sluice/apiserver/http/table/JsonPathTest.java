package dev.sluice.apiserver.http.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Value;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPathTest {
  private static final Value OBJECT =
      Json.parse(
          """
          {"metadata": {"name": "w", "labels": {"app.kubernetes.io/name": "web"}},
           "spec": {"size": 3, "ratio": 0.5, "on": true,
                    "list": [1, 2, 3, 4],
                    "sets": [{"name": "a", "count": 1}, {"name": "b", "count": 12}]},
           "status": {"conditions": [
               {"type": "QuotaReserved", "status": "True", "reason": "Fits"},
               {"type": "Admitted", "status": "False"}]}}
          """);

  record Case(String path, String want) {}

  static final List<Case> CASES =
      List.of(
          new Case(".metadata.name", "\"w\""),
          new Case("{.metadata.name}", "\"w\""),
          new Case("$.metadata.name", "\"w\""),
          new Case("metadata.name", "\"w\""),
          new Case(".metadata.labels['app.kubernetes.io/name']", "\"web\""),
          new Case(".metadata.labels.app\\.kubernetes\\.io/name", "\"web\""),
          new Case(".spec.size", "3"),
          new Case(".spec.missing", ""),
          new Case(".spec.size.deeper", ""),
          new Case(".spec.list[0]", "1"),
          new Case(".spec.list[-1]", "4"),
          new Case(".spec.list[9]", ""),
          new Case(".spec.list[1:3]", "2 3"),
          new Case(".spec.list[:2]", "1 2"),
          new Case(".spec.list[-2:]", "3 4"),
          new Case(".spec.list[0:4:2]", "1 3"),
          new Case(".spec.list[*]", "1 2 3 4"),
          new Case(".spec.list[0,2]", "1 3"),
          new Case(".spec.sets[*].name", "\"a\" \"b\""),
          new Case(".spec.*.name", ""),
          new Case("..name", "\"w\" \"a\" \"b\""),
          new Case(".status.conditions[?(@.type==\"Admitted\")].status", "\"False\""),
          new Case(".status.conditions[?(@.type=='QuotaReserved')].reason", "\"Fits\""),
          new Case(".status.conditions[?(@.type!='Admitted')].type", "\"QuotaReserved\""),
          new Case(".status.conditions[?(@.reason)].type", "\"QuotaReserved\""),
          new Case(".status.conditions[?(@.type=='None')].status", ""),
          new Case(".spec.sets[?(@.count>5)].name", "\"b\""),
          new Case(".spec.sets[?(@.count<=1)].name", "\"a\""),
          new Case(".spec.sets[?(@.count >= 12)].name", "\"b\""),
          new Case(".spec.sets[?(@.count < 2)].name", "\"a\""),
          new Case(".spec['size','ratio']", "3 0.5"));

  @ParameterizedTest
  @FieldSource("CASES")
  void finds(Case c) {
    List<String> found =
        JsonPath.parse(c.path()).find(OBJECT).stream().map(Value::toString).toList();

    assertThat(String.join(" ", found)).isEqualTo(c.want());
  }

  @ParameterizedTest
  @ValueSource(strings = {".a[", ".a[x]", ".a[1:2:3:4]", ".a[::0]", ".a..", ".a[?(@.b==c)]"})
  void refusesWhatItCannotRead(String path) {
    assertThatThrownBy(() -> JsonPath.parse(path)).hasMessageContaining(path);
  }
}
