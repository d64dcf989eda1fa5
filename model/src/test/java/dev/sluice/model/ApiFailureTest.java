package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiFailure.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApiFailureTest {

  @Test
  void speaksAsKubernetesDoes() {
    ObjectKey job = Kinds.JOB.key("team", "train");

    assertThat(ApiFailure.notFound(job)).hasMessage("jobs.batch \"train\" not found");
    assertThat(ApiFailure.alreadyExists(job)).hasMessage("jobs.batch \"train\" already exists");
    assertThat(ApiFailure.conflict(job))
        .hasMessage(
            "Operation cannot be fulfilled on jobs.batch \"train\": the object has been modified;"
                + " please apply your changes to the latest version and try again");
  }

  @Test
  void aStatusReadsAsWhatItWasWrittenFrom() {
    ApiFailure failure =
        ApiFailure.invalid(
                Kinds.JOB,
                "train",
                List.of(
                    Cause.required("spec.template", ""),
                    Cause.invalid("spec.parallelism", -1, "must be positive")))
            .failure();

    assertThat(ApiFailure.of(failure.status())).isEqualTo(failure);
    assertThat(failure.message())
        .isEqualTo(
            "Job.batch \"train\" is invalid: [spec.template: Required value, spec.parallelism:"
                + " Invalid value: -1: must be positive]");
  }

  @Test
  void aCodeAloneGivesAReason() {
    assertThat(Reason.of("", 409)).isEqualTo(Reason.CONFLICT);
    assertThat(Reason.of("AlreadyExists", 409)).isEqualTo(Reason.ALREADY_EXISTS);
    assertThat(Reason.of("Teapot", 418)).isEqualTo(Reason.INTERNAL_ERROR);
  }
}
