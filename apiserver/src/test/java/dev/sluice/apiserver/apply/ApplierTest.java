package dev.sluice.apiserver.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Several managers and one object. */
class ApplierTest {
  private static final ResourceKind GATE =
      new ResourceKind("example.com", "v1", "Gate", "gates", true);
  static final ManagedPart PART =
      ManagedPart.of(GATE, MergeTest.SCHEMA, "", false, true, ManagedPart.Version.ONLY);
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private Instant now = NOON;
  private ApiObject gate = PART.blank();

  private void apply(String manager, String spec) {
    gate = applied(manager, false, gate(spec));
  }

  private void insist(String manager, String spec) {
    gate = applied(manager, true, gate(spec));
  }

  private ApiObject applied(String manager, boolean insists, Tree configuration) {
    return new Applier(PART, manager, insists, now).apply(gate, configuration);
  }

  private void update(String manager, String spec) {
    ApiObject after = gate.withSpec(MergeTest.spec(spec).tree("spec"));
    gate = OwnershipTracking.updated(PART, gate, after, manager, now);
  }

  static Tree gate(String spec) {
    return MergeTest.yaml(
        "{apiVersion: example.com/v1, kind: Gate, metadata: {name: g}, spec: {%s}}"
            .formatted(spec));
  }

  private ApiFailure conflict(String manager, String spec) {
    ApiException refused =
        catchThrowableOfType(ApiException.class, () -> applied(manager, false, gate(spec)));
    assertThat(refused).isNotNull();
    assertThat(refused.failure().reason()).isEqualTo(ApiFailure.Reason.CONFLICT);
    return refused.failure();
  }

  private void assertSpec(String spec) {
    assertThat(gate.spec()).isEqualTo(MergeTest.spec(spec).tree("spec"));
  }

  /** The fields of each manager. */
  private String owners() {
    return ManagedFields.of(gate).claims().stream()
        .sorted(ManagedFieldsEntry.ORDER)
        .map(claim -> claim.manager() + claim.fields().paths())
        .collect(Collectors.joining(" "));
  }

  @Test
  void managersOwnWhatTheySay() {
    apply("a", "n: 1, map: {x: '1'}");
    apply("b", "n: 1, map: {z: '2'}");

    assertSpec("n: 1, map: {x: '1', z: '2'}");
    assertThat(owners()).isEqualTo("a[.spec.map.x, .spec.n] b[.spec.map.z, .spec.n]");
  }

  @Test
  void whatAManagerNoLongerSaysGoes() {
    apply("a", "n: 1, map: {x: '1', z: '1'}, keyed: [{k: a, v: x}, {k: b}], set: [p, q]");
    apply("a", "map: {z: '1'}, keyed: [{k: a}], set: [q]");

    assertSpec("map: {z: '1'}, keyed: [{k: a}], set: [q]");
  }

  @Test
  void unlessSomebodyElseSaysItToo() {
    apply("a", "n: 1, map: {x: '1'}, keyed: [{k: a, v: x}]");
    apply("b", "n: 1, keyed: [{k: a}]");
    apply("a", "list: [z]");

    assertSpec("n: 1, keyed: [{k: a}], list: [z]");
    assertThat(owners())
        .isEqualTo(
            "a[.spec.list] b[.spec.keyed[k=\"a\",p=80], .spec.keyed[k=\"a\",p=80].k, .spec.n]");
  }

  @Test
  void whatNobodyOwnsStaysBelowWhatGoes() {
    apply("a", "n: 1, keyed: [{k: a}]");
    // As the server does with defaults.
    gate = gate.withSpec(gate.spec().with("map", Tree.of("d", "e")));
    apply("a", "n: 1");

    assertSpec("n: 1, map: {d: e}");
  }

  @Test
  void aChangeOfWhatSomebodyElseOwnsIsAConflict() {
    apply("a", "n: 1, map: {x: '1'}");

    ApiFailure one = conflict("b", "n: 2");
    ApiFailure two = conflict("b", "n: 2, map: {x: '2'}");

    assertThat(one.message())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"a\": .spec.n");
    assertThat(one.causes())
        .containsExactly(new Cause("FieldManagerConflict", ".spec.n", "conflict with \"a\""));
    assertThat(two.message())
        .isEqualTo(
            "Apply failed with 2 conflicts: conflicts with \"a\":\n- .spec.map.x\n- .spec.n");
  }

  @Test
  void forcedApplyTakesTheField() {
    apply("a", "n: 1, map: {x: '1'}");
    insist("b", "n: 2");

    assertSpec("n: 2, map: {x: '1'}");
    assertThat(owners()).isEqualTo("a[.spec.map.x] b[.spec.n]");
  }

  @Test
  void anUpdateTakesTheFieldWithoutAWord() {
    apply("a", "n: 1, list: [x]");
    update("u", "n: 2, list: [x]");

    assertThat(owners()).isEqualTo("a[.spec.list] u[.spec.n]");
    assertThat(conflict("a", "n: 1, list: [x]").message())
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"u\" using example.com/v1: .spec.n");
    apply("a", "list: [x]");
    assertSpec("n: 2, list: [x]");
  }

  @Test
  void whatAnUpdateRemovesNobodyOwns() {
    apply("a", "n: 1, map: {x: '1'}");
    update("u", "n: 1");

    assertThat(owners()).isEqualTo("a[.spec.n]");
  }

  @Test
  void aManagerWithoutFieldsVanishes() {
    apply("a", "n: 1");
    apply("b", "list: [x]");
    apply("a", "");
    update("u", "");

    assertThat(owners()).isEqualTo("a[.spec]");
    assertSpec("");
  }

  @Test
  void whatWasThereBeforeTheFirstApplyHasAnOwner() {
    gate = new ApiObject(gate("n: 1, map: {x: '1'}"));

    assertThat(conflict("a", "n: 2").message())
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"before-first-apply\" using"
                + " example.com/v1: .spec.n");
    apply("a", "n: 1");
    assertThat(owners())
        .isEqualTo("a[.spec.n] before-first-apply[.spec, .spec.map, .spec.map.x, .spec.n]");
  }

  @Test
  void applyingTheSameAgainChangesNothing() {
    apply("a", "n: 1, set: [x]");
    ApiObject before = gate;

    now = NOON.plusSeconds(5);
    apply("a", "n: 1, set: [x]");

    assertThat(gate).isEqualTo(before);
  }

  @Test
  void kubectlDoesNotConflictWithWhatItSaidByItself() {
    gate =
        new ApiObject(gate("n: 1, list: [x]"))
            .withAnnotation(
                "kubectl.kubernetes.io/last-applied-configuration",
                gate("n: 1, list: [z]").toString());

    assertThat(conflict("kubectl", "n: 2, list: [w]").causes())
        .extracting(Cause::field)
        .containsExactly(".spec.list");
    apply("kubectl", "n: 2");

    assertSpec("n: 2, list: [x]");
    assertThat(gate.annotation("kubectl.kubernetes.io/last-applied-configuration"))
        .isEqualTo(gate("n: 2") + "\n");
  }

  @Test
  void aConfigurationThatCannotBeMergedIsRefused() {
    assertThatThrownBy(() -> applied("a", true, gate("m: 1")))
        .hasMessageContaining(
            "failed to create typed patch object (/g; example.com/v1, Kind=Gate): .spec.m: field"
                + " not declared in schema");
    assertThatThrownBy(() -> applied("a", true, gate("keyed: [{k: a}, {k: a, p: 80}]")))
        .hasMessageContaining(".spec.keyed: duplicate entries for key [k=\"a\",p=80]");
    assertThatThrownBy(() -> applied("a", true, gate("set: [{}], m: 1")))
        .hasMessageContaining("errors:\n  .spec.m: field")
        .hasMessageContaining(".spec.set: element 0");
  }

  @Test
  void theOldestOfManyUpdatersBecomeOne() {
    apply("a", "list: [x]");
    String map = "";
    for (int i = 0; i < 13; i++) {
      now = NOON.plusSeconds(i);
      map += "k%d: x, ".formatted(i);
      update("u" + i, "list: [x], map: {%s}".formatted(map));
    }

    List<ManagedFieldsEntry> claims = ManagedFields.of(gate).claims();
    assertThat(claims).hasSize(11);
    assertThat(claims.get(1).manager()).isEqualTo(ManagedFields.ANCIENT);
    assertThat(claims.get(1).fields().paths())
        .containsExactly(
            ".spec.map", ".spec.map.k0", ".spec.map.k1", ".spec.map.k2", ".spec.map.k3");
    assertThat(claims.get(2).manager()).isEqualTo("u4");
  }
}
