package dev.sluice.apiserver.registry;

import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Bodies that no kind takes, and what their writers are told. */
class RefusedCreateTest {
  private final World world = new World();

  /** A body, and why it is refused. */
  record Case(String name, ResourceKind kind, String body, Reason reason, String says) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> REFUSED =
      List.of(
          metadata("an upper-case name", "{name: Big}", "metadata.name"),
          metadata("no name", "{labels: {a: b}}", "metadata.name"),
          metadata("a name that is too long", "{name: " + "a".repeat(254) + "}", "metadata.name"),
          metadata("a bad label key", "{name: a, labels: {-x: b}}", "metadata.labels"),
          metadata("a bad label value", "{name: a, labels: {x: b c}}", "metadata.labels"),
          metadata(
              "a bad annotation key", "{name: a, annotations: {a/b/c: d}}", "metadata.annotations"),
          metadata("a bare finalizer", "{name: a, finalizers: [mine]}", "metadata.finalizers"),
          metadata(
              "finalizers that exclude each other",
              "{name: a, finalizers: [orphan, foregroundDeletion]}",
              "metadata.finalizers"),
          metadata(
              "an owner without uid",
              "{name: a, ownerReferences: [{apiVersion: v1, kind: Pod, name: p}]}",
              "metadata.ownerReferences[0].uid"),
          metadata(
              "an owner that is an event",
              "{name: a, ownerReferences: [{apiVersion: v1, kind: Event, name: p, uid: u}]}",
              "metadata.ownerReferences[0]"),
          metadata(
              "two controllers",
              "{name: a, ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: u, controller:"
                  + " true}, {apiVersion: v1, kind: Pod, name: q, uid: v, controller: true}]}",
              "metadata.ownerReferences"),
          new Case(
              "another kind",
              Kinds.CONFIG_MAP,
              "{apiVersion: v1, kind: Pod, metadata: {name: a}}",
              Reason.BAD_REQUEST,
              "the kind in the data (Pod) does not match the expected kind (ConfigMap)"),
          new Case(
              "another version",
              Kinds.CONFIG_MAP,
              "{apiVersion: v2, kind: ConfigMap, metadata: {name: a}}",
              Reason.BAD_REQUEST,
              "the API version in the data (v2) does not match the expected API version (v1)"),
          new Case(
              "another namespace",
              Kinds.CONFIG_MAP,
              "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: other}}",
              Reason.BAD_REQUEST,
              "namespace of the provided object does not match"),
          new Case(
              "a revision",
              Kinds.CONFIG_MAP,
              "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, resourceVersion: '4'}}",
              Reason.INTERNAL_ERROR,
              "resourceVersion should not be set"),
          new Case(
              "a field of the wrong type",
              Kinds.JOB,
              "{apiVersion: batch/v1, kind: Job, metadata: {name: a}, spec: {parallelism: many}}",
              Reason.BAD_REQUEST,
              "Job in version \"v1\" cannot be handled as a Job: spec.parallelism"),
          new Case(
              "data that is not base64",
              Samples.SECRET,
              "{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {a: '%%%'}}",
              Reason.BAD_REQUEST,
              "data"),
          new Case(
              "a namespace with a dot",
              Kinds.NAMESPACE,
              "{apiVersion: v1, kind: Namespace, metadata: {name: a.b}}",
              Reason.INVALID,
              "metadata.name"));

  private static Case metadata(String name, String metadata, String field) {
    String body = "{apiVersion: v1, kind: ConfigMap, metadata: %s}".formatted(metadata);
    return new Case(name, Kinds.CONFIG_MAP, body, Reason.INVALID, field);
  }

  @ParameterizedTest
  @FieldSource("REFUSED")
  void refuses(Case c) {
    ApiFailure failure = refused(c.reason(), () -> world.create(c.kind(), c.body()));

    if (c.reason() == Reason.INVALID) {
      assertThat(fields(failure)).contains(c.says());
      assertThat(failure.kind()).isEqualTo(c.kind().kind());
    } else {
      assertThat(failure.message()).contains(c.says());
    }
  }
}
