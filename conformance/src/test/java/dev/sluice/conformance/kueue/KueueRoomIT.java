package dev.sluice.conformance.kueue;

import static dev.sluice.conformance.kueue.KueueLimitsIT.assertRefused;
import static dev.sluice.conformance.kueue.KueueLimitsIT.many;
import static dev.sluice.conformance.kueue.KueueLimitsIT.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.model.ApiObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** That objects have room for whatever our controllers and users have to say in them. */
@RequiresKubernetes
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KueueRoomIT extends KueueRules {
  private static final String USES = "{name: f%d, resources: [{name: cpu, total: 1}]}";
  private static final String CHECKS =
      "{name: c%d, state: Pending, message: '', lastTransitionTime: '2026-01-02T03:04:05Z'}";

  KueueRoomIT(RealKubernetes kubernetes) {
    super(kubernetes);
  }

  /** A ClusterQueue has up to 256 flavors, and all may be in use. */
  @Test
  void queuesTellOfAsManyFlavorsAsTheyMayHave() {
    for (ApiObject queue :
        List.of(using("ClusterQueue", "{}", 256), using("LocalQueue", "{clusterQueue: a}", 256))) {
      assertThat(written(queue))
          .allMatch(kept -> kept.status().trees("flavorsUsage").size() == 256);
    }
    assertRefused(servers, using("ClusterQueue", "{}", 257), "256 items");
  }

  /** A ClusterQueue has up to 64 checks, and a workload may need them all. */
  @Test
  void aWorkloadTellsOfAsManyChecksAsAQueueMayHave() {
    assertThat(written(checked(64)))
        .allMatch(kept -> kept.status().trees("admissionChecks").size() == 64);
    assertRefused(servers, checked(65), "64 items");
  }

  /** Pods may have fields that our definitions know nothing of. */
  @Test
  void whatATemplateSaysIsKept() {
    ApiObject workload =
        object(
            "Workload",
            newName(),
            "spec: {podSets: [{template: {spec: {containers: [], unheardOf: {a: b}}}}]}");

    assertThat(written(workload))
        .map(kept -> kept.spec().trees("podSets").getFirst())
        .allMatch(podSet -> podSet.text("template", "spec", "unheardOf", "a").equals("b"));
  }

  /** As each server keeps it. */
  private List<ApiObject> written(ApiObject object) {
    return servers.stream().map(server -> server.write(object)).toList();
  }

  private ApiObject using(String kind, String spec, int flavors) {
    String uses = many(flavors, USES);
    return object(
        kind,
        newName(),
        "{spec: %s, status: {flavorsReservation: [%s], flavorsUsage: [%s]}}"
            .formatted(spec, uses, uses));
  }

  private ApiObject checked(int checks) {
    return object(
        "Workload",
        newName(),
        "{spec: {podSets: [{template: {}}]}, status: {admissionChecks: [%s]}}"
            .formatted(many(checks, CHECKS)));
  }
}
