package dev.sluice.controllers.queueing.visibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.controllers.queueing.admission.QueueFollower;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.ComputedApi.Part;
import dev.sluice.runtime.ComputedApi.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class VisibilityApiTest {
  private final QueueWorld world = new QueueWorld();
  private final VisibilityApi api = new VisibilityApi(world.cluster, world.cache);
  private final QueueCache followerCache = new QueueCache(world.cluster, world.configuration());

  @BeforeEach
  void fill() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq").localQueue("other", "b", "cq");
    world.workload("default", "runs", "a", 100, 2);
    world.add(new QueueFollower(followerCache));
    world.start(DecisionLog.NONE, Duration.ofSeconds(1));
    world.workload("default", "low", "a", 0, 1);
    world.workload("other", "high", "b", 10, 1);
    world.workload("other", "middle", "b", 5, 1);
    world.workload("default", "small", "a", -1, 1);
  }

  private Tree read(String version, String namespace, String queue, String... query) {
    return read(api, version, namespace, queue, query);
  }

  private static Tree read(
      VisibilityApi api, String version, String namespace, String queue, String... query) {
    Part part =
        api.parts().stream()
            .filter(one -> one.of().version().equals(version))
            .filter(one -> one.of().namespaced() == !namespace.isEmpty())
            .findFirst()
            .orElseThrow();
    var parameters = new TreeMap<String, List<String>>();
    for (int i = 0; i < query.length; i += 2) {
      parameters.put(query[i], List.of(query[i + 1]));
    }
    return api.read(new Request(part, namespace, queue, parameters));
  }

  private static List<String> items(Tree response) {
    var items = new ArrayList<String>();
    for (Tree item : response.trees("items")) {
      items.add(
          "%s/%s %d %d %s"
              .formatted(
                  item.text("metadata", "namespace"),
                  item.text("metadata", "name"),
                  item.whole("positionInClusterQueue").orElseThrow(),
                  item.whole("positionInLocalQueue").orElseThrow(),
                  item.text("localQueueName")));
    }
    return items;
  }

  record Case(String name, String namespace, String queue, List<String> query, List<String> want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> cases() {
    return List.of(
        new Case(
            "all of a ClusterQueue",
            "",
            "cq",
            List.of(),
            List.of(
                "other/high 0 0 b",
                "other/middle 1 1 b",
                "default/low 2 0 a",
                "default/small 3 1 a")),
        new Case("the first", "", "cq", List.of("limit", "1"), List.of("other/high 0 0 b")),
        new Case(
            "a part in the middle",
            "",
            "cq",
            List.of("limit", "2", "offset", "1"),
            List.of("other/middle 1 1 b", "default/low 2 0 a")),
        new Case("behind the end", "", "cq", List.of("offset", "4"), List.of()),
        new Case(
            "zero is no limit",
            "",
            "cq",
            List.of("limit", "0", "offset", "3"),
            List.of("default/small 3 1 a")),
        new Case(
            "a LocalQueue keeps the places in the ClusterQueue",
            "default",
            "a",
            List.of(),
            List.of("default/low 2 0 a", "default/small 3 1 a")),
        new Case(
            "the offset counts in the LocalQueue",
            "default",
            "a",
            List.of("offset", "1"),
            List.of("default/small 3 1 a")),
        new Case(
            "one workload",
            "other",
            "b",
            List.of("workload", "middle"),
            List.of("other/middle 1 1 b")));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void pendingWorkloadsAreListed(Case test) {
    Tree response = read("v1beta2", test.namespace, test.queue, test.query.toArray(String[]::new));

    assertThat(items(response)).isEqualTo(test.want);
  }

  @Test
  void everyVersionIsServed() {
    for (String version : List.of("v1beta1", "v1beta2")) {
      Tree response = read(version, "", "cq");

      assertThat(response.text("apiVersion")).isEqualTo("visibility.kueue.x-k8s.io/" + version);
      assertThat(response.text("kind")).isEqualTo("PendingWorkloadsSummary");
      assertThat(response.trees("items").getFirst().whole("priority")).hasValue(10);
    }
  }

  @Test
  void missingQueueIsNotFound() {
    assertThatThrownBy(() -> read("v1beta2", "", "nowhere"))
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.is(Reason.NOT_FOUND)).isTrue())
        .hasMessageContaining("nowhere");
    assertThatThrownBy(() -> read("v1beta2", "default", "b"))
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.is(Reason.NOT_FOUND)).isTrue());
  }

  @Test
  void invalidNumberIsRefused() {
    for (String text : List.of("many", "-1", "1.5")) {
      assertThatThrownBy(() -> read("v1beta2", "", "cq", "limit", text))
          .hasMessage("limit must be a whole number from 0 on, not \"%s\"".formatted(text));
    }
  }

  @Test
  void explanationHasTheReason() {
    Tree item =
        read("v1beta2", "", "cq", "explain", "true", "workload", "low").trees("items").getFirst();
    Tree explanation = item.tree("explanation");
    Tree flavor = explanation.trees("podSets").getFirst().trees("flavors").getFirst();
    Tree shortage = flavor.trees("shortages").getFirst();

    assertThat(explanation.whole("ahead")).hasValue(2);
    assertThat(explanation.textItems("firstAhead")).containsExactly("other/high", "other/middle");
    assertThat(flavor.text("name")).isEqualTo("plain");
    assertThat(shortage.text("resource")).isEqualTo("cpu");
    assertThat(shortage.text("missing")).isEqualTo("1");
    assertThat(shortage.text("limit")).isEqualTo("QueueQuota");
    assertThat(shortage.trees("holders").getFirst().text("clusterQueue")).isEqualTo("cq");
    assertThat(read("v1beta2", "", "cq").trees("items").getFirst().has("explanation")).isFalse();
  }

  @Test
  void localQueueShowsNoNamesOfOtherNamespaces() {
    Tree item =
        read("v1beta2", "default", "a", "explain", "true", "workload", "small")
            .trees("items")
            .getFirst();

    assertThat(item.tree("explanation").whole("ahead")).hasValue(3);
    assertThat(item.tree("explanation").textItems("firstAhead")).containsExactly("default/low");
  }

  @Test
  void followerShowsTheSame() {
    var follower = new VisibilityApi(world.cluster, followerCache);

    assertThat(read(follower, "v1beta2", "", "cq", "explain", "true"))
        .isEqualTo(read("v1beta2", "", "cq", "explain", "true"));
    assertThat(read(follower, "v1beta2", "default", "a"))
        .isEqualTo(read("v1beta2", "default", "a"));
  }
}
