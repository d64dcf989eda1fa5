package dev.sluice.conformance.scheduling;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.scheduling.SchedulerContest.Scenario;
import dev.sluice.model.Kinds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which nodes pods get for the pods that are there, beside kube-scheduler. */
@RequiresKubernetes(RealKubernetes.Part.SCHEDULER)
@Timeout(180)
class SchedulerCompanyIT {
  private static final String SPREAD =
      "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: %s,"
          + " labelSelector: {matchLabels: {app: p}}%s}]";

  private static String affinity(String kind, String app, String key) {
    return "affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: %s,"
            .formatted(kind, key)
        + " labelSelector: {matchLabels: {app: %s}}}]}}".formatted(app);
  }

  private static String term(String kind, String term) {
    return "affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone,"
            .formatted(kind)
        + " %s}]}}".formatted(term);
  }

  private static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario(
              "evenly over zones",
              stage -> {
                stage.node("a", "cpu: 32", "zone: a", "");
                stage.node("b", "cpu: 8", "zone: b", "");
                stage.node("c", "cpu: 64", "", "");
                for (int i = 1; i <= 3; i++) {
                  stage.pod("p" + i, "cpu: 1", SPREAD.formatted("DoNotSchedule", ""));
                }
                stage.pod("p4", "cpu: 8", SPREAD.formatted("DoNotSchedule", ""));
                stage.pod("p5", "cpu: 1", SPREAD.formatted("DoNotSchedule", ", minDomains: 3"));
              }),
          new Scenario(
              "rather in other zones",
              stage -> {
                stage.node("a", "cpu: 32", "zone: a", "");
                stage.node("b", "cpu: 24", "zone: b", "");
                stage.pod("p1", "cpu: 1", SPREAD.formatted("ScheduleAnyway", ""));
                stage.pod("p2", "cpu: 1", SPREAD.formatted("ScheduleAnyway", ""));
              }),
          new Scenario(
              "pods of a service are spread by default",
              stage -> {
                stage.given(
                    Kinds.SERVICE,
                    "{apiVersion: v1, kind: Service, metadata: {name: s, namespace: default}, spec:"
                        + " {clusterIP: None, selector: {app: p}}}");
                stage.node("a", "cpu: 32", "topology.kubernetes.io/zone: a", "");
                stage.node("b", "cpu: 24", "topology.kubernetes.io/zone: b", "");
                stage.node("c", "cpu: 16", "", "");
                for (int i = 1; i <= 4; i++) {
                  stage.pod("p" + i, "cpu: 1", "");
                }
                stage.pod("other", "cpu: 4", "");
              }),
          new Scenario(
              "near and apart",
              stage -> {
                stage.node("a", "cpu: 32", "zone: a", "");
                stage.node("b", "cpu: 8", "zone: b", "");
                stage.pod("friend", "cpu: 1", "nodeSelector: {zone: b}");
                stage.pod("near", "cpu: 1", affinity("podAffinity", "friend", "zone"));
                stage.pod("apart", "cpu: 1", affinity("podAntiAffinity", "friend", "zone"));
                stage.pod("lonely", "cpu: 1", affinity("podAffinity", "nobody", "zone"));
                stage.pod("shy", "cpu: 1", affinity("podAntiAffinity", "shy", "zone"));
                stage.pod("shy2", "cpu: 1", affinity("podAntiAffinity", "shy", "zone"));
                stage.pod("shy3", "cpu: 1", "");
              }),
          new Scenario(
              "nodes that are left out when pods are counted",
              stage -> {
                stage.node("a", "cpu: 8", "zone: a", "");
                stage.node("b", "cpu: 8", "zone: b", "taints: [{key: k, effect: NoSchedule}]");
                String taints = SPREAD.formatted("DoNotSchedule", ", nodeTaintsPolicy: %s");
                stage.pod("p1", "cpu: 1", taints.formatted("Ignore"));
                stage.pod("p2", "cpu: 1", taints.formatted("Ignore"));
                stage.pod("p3", "cpu: 1", taints.formatted("Honor"));
                String labels = SPREAD.formatted("DoNotSchedule", ", nodeAffinityPolicy: %s");
                String selector = ", nodeSelector: {zone: a}";
                stage.pod("p4", "cpu: 1", labels.formatted("Ignore") + selector);
                stage.pod("p5", "cpu: 1", labels.formatted("Honor") + selector);
              }),
          new Scenario(
              "pods of one revision",
              stage -> {
                stage.node("a", "cpu: 8", "zone: a", "");
                stage.node("b", "cpu: 4", "zone: b", "");
                String spread = SPREAD.formatted("DoNotSchedule", ", matchLabelKeys: [rev]");
                stage.pod("old1", "app: p, rev: old", "cpu: 1", "nodeSelector: {zone: a}");
                stage.pod("old2", "app: p, rev: old", "cpu: 1", "nodeSelector: {zone: a}");
                stage.pod("new1", "app: p, rev: new", "cpu: 1", spread);
                stage.pod("old3", "app: p, rev: old", "cpu: 1", spread);
                stage.pod("old4", "app: p, rev: old", "cpu: 8", spread);
              }),
          new Scenario(
              "near those of the same kind, apart from those of others",
              stage -> {
                stage.node("a", "cpu: 8", "zone: a", "");
                stage.node("b", "cpu: 16", "zone: b", "");
                String near = "matchLabelKeys: [tenant], labelSelector: {matchLabels: {app: p}}";
                String apart =
                    "mismatchLabelKeys: [tenant], labelSelector: {matchExpressions: [{key: tenant,"
                        + " operator: Exists}]}";
                stage.pod("x1", "app: p, tenant: x", "cpu: 1", "nodeSelector: {zone: a}");
                stage.pod("x2", "app: p, tenant: x", "cpu: 1", term("podAffinity", near));
                stage.pod("y1", "app: p, tenant: y", "cpu: 1", term("podAntiAffinity", apart));
                stage.pod("z1", "app: p, tenant: z", "cpu: 1", term("podAntiAffinity", apart));
                stage.pod("x3", "app: p, tenant: x", "cpu: 1", term("podAntiAffinity", apart));
              }),
          new Scenario(
              "pods of some namespaces",
              stage -> {
                stage.node("a", "cpu: 16", "zone: a", "");
                stage.node("b", "cpu: 8", "zone: b", "");
                stage.pod("friend", "cpu: 1", "nodeSelector: {zone: b}");
                String friend = ", labelSelector: {matchLabels: {app: friend}}";
                String byName =
                    "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}";
                stage.pod("any", "cpu: 1", term("podAffinity", "namespaceSelector: {}" + friend));
                stage.pod(
                    "same", "cpu: 1", term("podAffinity", byName.formatted("default") + friend));
                stage.pod(
                    "other", "cpu: 1", term("podAffinity", byName.formatted("other") + friend));
                stage.pod("list", "cpu: 1", term("podAffinity", "namespaces: [default]" + friend));
                stage.pod("nobody", "cpu: 1", term("podAffinity", "namespaces: [other]" + friend));
              }),
          new Scenario(
              "all that it wants to be near",
              stage -> {
                stage.node("a", "cpu: 16", "zone: a", "");
                stage.node("b", "cpu: 8", "zone: b", "");
                stage.pod("one", "app: one, both: half", "cpu: 1", "nodeSelector: {zone: a}");
                stage.pod("two", "app: one, both: whole", "cpu: 1", "nodeSelector: {zone: b}");
                stage.pod(
                    "p",
                    "cpu: 1",
                    "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                        + " [{topologyKey: zone, labelSelector: {matchLabels: {app: one}}},"
                        + " {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels:"
                        + " {both: whole}}}]}}");
              }),
          new Scenario(
              "one that changes its labels",
              stage -> {
                stage.node("a", "cpu: 8", "zone: a", "");
                stage.pod("rival", "cpu: 1", "");
                stage.pod("apart", "cpu: 1", affinity("podAntiAffinity", "rival", "zone"));
                stage.pod("near", "cpu: 1", affinity("podAffinity", "friend", "zone"));
                stage.changePod("rival", SchedulerStage.labelled("app", "friend"));
                stage.bound("apart");
                stage.bound("near");
              }),
          new Scenario(
              "wishes for company, of those who come and those who are there",
              stage -> {
                stage.node("a", "cpu: 16", "zone: a", "");
                stage.node("b", "cpu: 16", "zone: b", "");
                stage.node("c", "cpu: 16", "zone: c", "");
                String wish =
                    "affinity: {%s: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: %d,"
                        + " podAffinityTerm: {topologyKey: zone, labelSelector: {matchLabels: {app:"
                        + " %s}}}}]}}";
                stage.pod("one", "cpu: 1", "nodeSelector: {zone: b}");
                stage.pod("near", "cpu: 1", wish.formatted("podAffinity", 50, "one"));
                stage.pod(
                    "host",
                    "cpu: 1",
                    wish.formatted("podAffinity", 60, "guest") + ", nodeSelector: {zone: c}");
                stage.pod("guest", "cpu: 2", "");
                stage.pod("apart", "cpu: 1", wish.formatted("podAntiAffinity", 9, "one"));
              }));

  @Test
  void bothSchedulersTellTheSameStory(RealKubernetes kubernetes) {
    SchedulerContest.play(kubernetes, SCENARIOS);
  }
}
