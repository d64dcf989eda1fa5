package dev.sluice.controllers.queueing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.AdmissionHook;

/**
 * A rule of ClusterQueues or Cohorts, with a valid and an invalid spec.
 *
 * @param field the field in the error
 */
record QueueCase(String name, ResourceKind kind, String accepted, String refused, String field) {
  private static final AdmissionHook QUEUES = new ClusterQueueRules(Configuration.DEFAULT);
  private static final AdmissionHook COHORTS = new CohortRules();

  @Override
  public String toString() {
    return kind.kind() + ": " + name;
  }

  void assertCreate() {
    assertThat(RuleFixtures.fields(() -> rules().checkCreate(object(accepted)))).isEmpty();
    assertThat(RuleFixtures.fields(() -> rules().checkCreate(object(refused))))
        .containsExactly(field);
  }

  void assertUpdate() {
    ApiObject good = object(accepted);
    ApiObject bad = object(refused);

    assertThat(RuleFixtures.fields(() -> rules().checkUpdate(good, bad))).containsExactly(field);
    assertThat(RuleFixtures.fields(() -> rules().checkUpdate(bad, good))).isEmpty();
    assertThat(RuleFixtures.fields(() -> rules().checkUpdate(bad, bad.withoutFinalizer("any"))))
        .isEmpty();
  }

  private AdmissionHook rules() {
    return kind.equals(Kinds.COHORT) ? COHORTS : QUEUES;
  }

  private ApiObject object(String spec) {
    return ApiObject.of(kind, "", "q").withSpec(RuleFixtures.tree("{" + spec + "}"));
  }
}
