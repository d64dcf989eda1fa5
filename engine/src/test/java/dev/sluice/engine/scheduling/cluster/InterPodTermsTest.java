package dev.sluice.engine.scheduling.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.SchedulingScene;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that want to be near others, apart from them, or evenly spread. */
class InterPodTermsTest {
  private static final String BIG = "cpu: 10, memory: 20Gi";
  private final SchedulingScene scene = new SchedulingScene();

  @BeforeEach
  void twoZones() {
    scene
        .node("a1", BIG, "zone: a", "")
        .node("a2", BIG, "zone: a", "")
        .node("b1", BIG, "zone: b", "")
        .node("bare", BIG);
  }

  private static String spread(int maxSkew, String key, String when, String more) {
    return "topologySpreadConstraints: [{maxSkew: %d, topologyKey: %s, whenUnsatisfiable: %s, %s}]"
        .formatted(maxSkew, key, when, more);
  }

  private static String affinity(String kind, String more) {
    return "affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [{%s}]}}"
        .formatted(kind, more);
  }

  @Test
  void noZoneGetsManyMoreThanTheEmptiest() {
    String even = spread(1, "zone", "DoNotSchedule", "labelSelector: {matchLabels: {app: p}}");

    assertThat(scene.place(scene.pod("p1", "", even))).isEqualTo("a1");
    assertThat(scene.place(scene.pod("p2", "", even))).isEqualTo("b1");
    assertThat(scene.place(scene.pod("p3", "", even))).isEqualTo("a2");
    scene.state.removeNode("b1");
    scene.node("b2", BIG, "zone: b", "unschedulable: true");
    assertThat(scene.place(scene.pod("p4", "", even)))
        .startsWith(
            "0/4 nodes are available: 1 node(s) didn't match pod topology spread constraints"
                + " (missing required label), 1 node(s) were unschedulable, 2 node(s) didn't match"
                + " pod topology spread constraints.");
  }

  @Test
  void tooFewZonesCountAsIfOneWereEmpty() {
    String even =
        spread(1, "zone", "DoNotSchedule", "minDomains: 3, labelSelector: {matchLabels: {app: p}}");
    scene.on("a1", scene.pod("p1", "")).on("b1", scene.pod("p2", ""));

    assertThat(scene.place(scene.pod("p3", "", even))).startsWith("0/4 nodes");
  }

  @Test
  void onlyPodsOfTheSameRevisionCountIfAsked() {
    String even =
        spread(
            1,
            "zone",
            "DoNotSchedule",
            "matchLabelKeys: [rev], labelSelector: {matchLabels: {app: p}}");
    scene.on("a1", scene.pod("p1", "app: p, rev: '1'", "", ""));
    scene.on("a1", scene.pod("p2", "app: p, rev: '1'", "", ""));

    assertThat(scene.place(scene.pod("p3", "app: p, rev: '2'", "", even))).isEqualTo("a2");
  }

  @Test
  void nodesThatRepelThePodCountUnlessItSaysOtherwise() {
    scene.node("b1", BIG, "zone: b", "taints: [{key: k, effect: NoSchedule}]");
    scene.on("a1", scene.pod("p1", ""));
    String even =
        spread(
            1,
            "zone",
            "DoNotSchedule",
            "nodeTaintsPolicy: %s, labelSelector: {matchLabels: {app: p}}");

    assertThat(scene.place(scene.pod("p2", "", even.formatted("Ignore")))).startsWith("0/4 nodes");
    assertThat(scene.place(scene.pod("p3", "", even.formatted("Honor")))).isEqualTo("a2");
  }

  @Test
  void nodesThatThePodDoesNotSelectDoNotCountUnlessItSaysOtherwise() {
    scene.on("a1", scene.pod("p1", ""));
    String even =
        spread(
                1,
                "zone",
                "DoNotSchedule",
                "nodeAffinityPolicy: %s, labelSelector: {matchLabels: {app: p}}")
            + ", nodeSelector: {zone: a}";

    assertThat(scene.place(scene.pod("p2", "", even.formatted("Ignore")))).startsWith("0/4 nodes");
    assertThat(scene.place(scene.pod("p3", "", even.formatted("Honor")))).isEqualTo("a2");
  }

  @Test
  void aWishToBeSpreadIsWeighed() {
    String wish = spread(1, "zone", "ScheduleAnyway", "labelSelector: {matchLabels: {app: p}}");
    scene.on("a1", scene.pod("p1", "")).on("a2", scene.pod("p2", ""));

    assertThat(scene.place(scene.pod("p3", "", wish))).isEqualTo("b1");
  }

  @Test
  void podsThatWantToBeApartAreSoBothWays() {
    String apart =
        affinity("podAntiAffinity", "topologyKey: zone, labelSelector: {matchLabels: {app: p}}");
    scene.state.removeNode("bare");

    assertThat(scene.place(scene.pod("p1", "", apart))).isEqualTo("a1");
    assertThat(scene.place(scene.pod("p2", "", apart))).isEqualTo("b1");
    assertThat(scene.place(scene.pod("p3", "", apart)))
        .startsWith("0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.");
    assertThat(scene.place(scene.pod("p4", "")))
        .startsWith(
            "0/3 nodes are available: 3 node(s) didn't satisfy existing pods anti-affinity rules.");
    assertThat(scene.place(scene.pod("other", ""))).isEqualTo("a2");
  }

  @Test
  void theFirstOfPodsThatWantToBeTogetherGoesAnywhere() {
    String near =
        affinity("podAffinity", "topologyKey: zone, labelSelector: {matchLabels: {app: p}}");

    assertThat(scene.place(scene.pod("p1", "", near))).isEqualTo("a1");
    assertThat(scene.place(scene.pod("p2", "", near))).isEqualTo("a2");
    assertThat(scene.place(scene.pod("stranger", "", near))).isEqualTo("a1");
    scene.node("a1", BIG, "zone: a", "unschedulable: true");
    scene.node("a2", BIG, "zone: a", "unschedulable: true");
    assertThat(scene.place(scene.pod("p3", "", near)))
        .startsWith(
            "0/4 nodes are available: 2 node(s) didn't match pod affinity rules, 2 node(s) were"
                + " unschedulable.");
  }

  @Test
  void aStrangerMustFindThePodsItWantsToBeNear() {
    String near =
        affinity("podAffinity", "topologyKey: zone, labelSelector: {matchLabels: {app: p}}");

    assertThat(scene.place(scene.pod("stranger", "", near)))
        .startsWith("0/4 nodes are available: 4 node(s) didn't match pod affinity rules.");
  }

  @Test
  void otherNamespacesCountOnlyIfSelected() {
    scene.namespace("default", "team", "x");
    scene.on("b1", scene.pod("p1", ""));
    String byLabel =
        affinity(
            "podAffinity",
            "topologyKey: zone, namespaceSelector: {matchLabels: {team: x}},"
                + " labelSelector: {matchLabels: {app: p}}");
    String elsewhere =
        affinity(
            "podAffinity",
            "topologyKey: zone, namespaces: [other], labelSelector: {matchLabels: {app: p}}");

    assertThat(scene.place(scene.pod("q1", "", byLabel))).isEqualTo("b1");
    assertThat(scene.place(scene.pod("q2", "", elsewhere))).startsWith("0/4 nodes");
  }

  @Test
  void kindsOfPodsAreToldApartByTheirOwnLabels() {
    scene.state.removeNode("bare");
    scene.on("b1", scene.pod("x1", "app: p, tenant: x", "", ""));
    scene.on("a1", scene.pod("y1", "app: p, tenant: y", "", ""));
    String near =
        affinity(
            "podAffinity",
            "topologyKey: zone, matchLabelKeys: [tenant], labelSelector: {matchLabels: {app: p}}");
    String apart =
        affinity(
            "podAntiAffinity",
            "topologyKey: zone, mismatchLabelKeys: [tenant], labelSelector: {matchLabels: {app:"
                + " p}}");

    assertThat(scene.place(scene.pod("x2", "app: p, tenant: x", "", near))).isEqualTo("b1");
    assertThat(scene.place(scene.pod("y2", "app: p, tenant: y", "", apart))).isEqualTo("a2");
    assertThat(scene.place(scene.pod("z1", "app: p, tenant: z", "", apart)))
        .startsWith("0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.");
  }

  @Test
  void anEmptySelectorMeansAllNamespacesAndNoneMeansNobody() {
    scene.on("b1", scene.pod("p1", ""));
    String all =
        affinity(
            "podAffinity",
            "topologyKey: zone, namespaceSelector: {}, labelSelector: {matchLabels: {app: p}}");
    String nobody = affinity("podAffinity", "topologyKey: zone");

    assertThat(scene.place(scene.pod("q1", "", all))).isEqualTo("b1");
    assertThat(scene.place(scene.pod("q2", "", nobody))).startsWith("0/4 nodes");
  }

  @Test
  void preferredAffinitiesAreWeighed() {
    scene.on("b1", scene.pod("p1", ""));
    String term = "{topologyKey: zone, labelSelector: {matchLabels: {app: p}}}";
    String near =
        "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
            + " [{weight: 10, podAffinityTerm: %s}]}}".formatted(term);
    String apart =
        "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
            + " [{weight: 10, podAffinityTerm: %s}]}}".formatted(term);

    assertThat(scene.place(scene.pod("q1", "", near))).isEqualTo("b1");
    assertThat(scene.place(scene.pod("q2", "", apart))).isEqualTo("a1");
  }
}
