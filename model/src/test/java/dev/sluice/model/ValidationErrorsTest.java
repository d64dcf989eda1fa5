package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ValidationErrorsTest {

  @Test
  void whatWasWrongBeforeDoesNotStandInTheWay() {
    var before = new ValidationErrors();
    before.invalid("spec.a", "x", "is odd");
    var after = new ValidationErrors();
    after.invalid("spec.a", "x", "is odd");

    assertThatCode(() -> after.refuseNew(before, Kinds.JOB, "j")).doesNotThrowAnyException();

    after.invalid("spec.a", "y", "is odd");
    assertThatThrownBy(() -> after.refuseNew(before, Kinds.JOB, "j"))
        .hasMessage("Job.batch \"j\" is invalid: spec.a: Invalid value: \"y\": is odd");
  }

  @Test
  void longValuesAreShownInPart() {
    var problems = new ValidationErrors();

    problems.invalid("a", "x".repeat(1000), "is long");
    problems.duplicate("b", "x".repeat(1000));
    problems.notFound("c", "x".repeat(1000));

    assertThat(problems.causes())
        .allSatisfy(cause -> assertThat(cause.message()).hasSizeLessThan(200).contains("xxx..."));
  }

  @Test
  void endlessListsAreShownInPart() {
    var problems = new ValidationErrors();
    for (int i = 0; i < 1000; i++) {
      problems.required("spec.a[" + i + "]", "");
    }

    assertThatThrownBy(() -> problems.refuse(Kinds.JOB, "j"))
        .hasMessageContaining("spec.a[99]: Required value, spec.a[100]: and 900 more problems");
  }
}
