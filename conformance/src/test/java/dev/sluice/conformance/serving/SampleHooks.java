package dev.sluice.conformance.serving;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.testkit.Worlds;
import java.util.List;

/** Hooks for Jobs, and a kind of its own with hooks and two versions. */
final class SampleHooks {
  static final String QUEUE = "kueue.x-k8s.io/queue-name";
  private static final ResourceKind LOCK =
      new ResourceKind("test.sluice.dev", "v1", "Lock", "locks", true);
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: locks.test.sluice.dev}
      spec:
        group: test.sluice.dev
        scope: Namespaced
        names: {kind: Lock, plural: locks, singular: lock}
        versions:
        - name: v1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
        - name: v1alpha1
          served: true
          storage: false
          subresources: {status: {}}
          schema:
            openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  /** A queued job is suspended; a job must not ask for seven pods, now or later. */
  static final AdmissionHook JOBS =
      new AdmissionHook() {
        @Override
        public ResourceKind kind() {
          return Kinds.JOB;
        }

        @Override
        public ApiObject onCreate(ApiObject job) {
          return job.label(QUEUE).isEmpty() ? job : job.with(List.of("spec", "suspend"), true);
        }

        @Override
        public void checkCreate(ApiObject job) {
          if (job.spec().whole("parallelism").orElse(1) == 7) {
            var cause = Cause.invalid("spec.parallelism", 7, "six or eight are fine");
            throw ApiFailure.invalid(Kinds.JOB, job.name(), List.of(cause));
          }
        }

        @Override
        public void checkUpdate(ApiObject before, ApiObject after) {
          checkCreate(after);
        }
      };

  /** The status of a lock may only grow. */
  static final AdmissionHook LOCKS =
      new AdmissionHook() {
        @Override
        public ResourceKind kind() {
          return LOCK;
        }

        @Override
        public void checkStatus(ApiObject before, ApiObject after) {
          if (after.status().whole("level").orElse(0) < before.status().whole("level").orElse(0)) {
            var cause = Cause.forbidden("status.level", "must not sink");
            throw ApiFailure.invalid(LOCK, after.name(), List.of(cause));
          }
        }
      };

  private SampleHooks() {}

  /** The definition of the kind. */
  static ApiObject definition() {
    return Worlds.yaml(DEFINITION);
  }

  /** The older version calls the width a span. */
  static ApiObject convert(ApiObject object, String version) {
    boolean toOld = version.endsWith("v1alpha1");
    String from = toOld ? "width" : "span";
    String to = toOld ? "span" : "width";
    return object
        .with(List.of("apiVersion"), version)
        .with(List.of("spec", to), object.spec().at(from))
        .without(List.of("spec", from));
  }
}
