package dev.sluice.apiserver.http.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelQueryTest {
  private static final Map<String, String> LABELS =
      Map.of("app", "web", "tier", "", "count", "5", "example.com/zone", "a");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|true",
        "app=web|true",
        "app==web|true",
        "app=db|false",
        "app!=db|true",
        "app!=web|false",
        "none!=x|true",
        "app in (db, web)|true",
        "app in (db)|false",
        "none in (x)|false",
        "app notin (db)|true",
        "app notin (web)|false",
        "none notin (x)|true",
        "app|true",
        "none|false",
        "!none|true",
        "! app|false",
        "tier=|true",
        "tier|true",
        "count>4|true",
        "count>5|false",
        "count<6|true",
        "app>1|false",
        "none<1|false",
        "example.com/zone=a|true",
        " app = web , tier , count > 4 |true",
        "app=web,tier=front|false",
        "in=x|false",
        "notin|false"
      })
  void labelSelectorsMatch(String selector, boolean want) {
    assertThat(LabelQuery.parse(selector).matches(LABELS)).isEqualTo(want);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "app=web=x",
        "=web",
        "app in web",
        "app in (a",
        "app,,b",
        "app>x",
        "a b",
        "!",
        ","
      })
  void labelSelectorsThatAreNoneAreRefused(String selector) {
    assertThatThrownBy(() -> LabelQuery.parse(selector))
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.is(Reason.BAD_REQUEST)).isTrue());
  }
}
