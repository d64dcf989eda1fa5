package dev.sluice.controllers.housekeeping;

import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ResourceQuotaControllerTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private final VirtualDriver driver =
      Worlds.driver(
          cluster,
          1,
          List.of(new ResourceQuotaController(cluster, List.of(Kinds.POD, Kinds.CONFIG_MAP))));

  @AfterEach
  void stop() {
    driver.close();
  }

  private void quota(String hard) {
    cluster.create(
        Kinds.RESOURCE_QUOTA,
        yaml(
            "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: default}, spec:"
                + " {hard: %s}}".formatted(hard)));
    driver.settle();
  }

  private Tree status() {
    return cluster.require(Kinds.RESOURCE_QUOTA.key("default", "q")).status();
  }

  private Pod pod(String name) {
    ApiObject pod =
        yaml(
            """
            {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default},
             spec: {nodeName: n, terminationGracePeriodSeconds: 30, containers:
              [{name: main, resources: {requests: {cpu: 500m}, limits: {cpu: 1}}}]}}
            """
                .formatted(name));
    return new Pod(cluster.create(Kinds.POD, pod));
  }

  private void second() {
    pass(driver, cluster, Duration.ofSeconds(1));
  }

  @Test
  void aNewQuotaSaysWhatIsUsedAlready() {
    pod("a");
    pod("b");
    quota("{pods: '5', requests.cpu: '4', limits.cpu: '4', configmaps: '1'}");

    assertThat(status())
        .hasToString(
            """
            {"hard":{"configmaps":"1","limits.cpu":"4","pods":"5","requests.cpu":"4"},\
            "used":{"configmaps":"0","limits.cpu":"2","pods":"2","requests.cpu":"1"}}\
            """);
  }

  @Test
  void whatComesAndEndsAndGoesIsCounted() {
    quota("{pods: '5', count/pods: '5'}");
    Pod pod = pod("a");
    pod("b");
    second();
    assertThat(status().tree("used")).hasToString("{\"count/pods\":\"2\",\"pods\":\"2\"}");

    Worlds.setPhase(cluster, pod, Pod.Phase.FAILED);
    second();
    assertThat(status().tree("used")).hasToString("{\"count/pods\":\"2\",\"pods\":\"1\"}");

    cluster.delete(Kinds.POD, cluster.require(pod.key()), Deletion.NOW);
    second();
    assertThat(status().tree("used")).hasToString("{\"count/pods\":\"1\",\"pods\":\"1\"}");
  }

  @Test
  void aPodThatDoesNotEndInItsTimeIsNotCountedForever() {
    quota("{pods: '5'}");
    cluster.delete(Kinds.POD, pod("a").object(), Deletion.BACKGROUND);
    second();
    assertThat(status().text("used", "pods")).isEqualTo("1");

    pass(driver, cluster, Duration.ofSeconds(60));
    assertThat(status().text("used", "pods")).isEqualTo("0");
  }

  @Test
  void manyChangesAreCountedTogether() {
    quota("{pods: '500'}");
    second();
    long before = cluster.writes();
    for (int i = 0; i < 100; i++) {
      pod("p" + i);
      driver.settle();
    }
    second();

    assertThat(status().text("used", "pods")).isEqualTo("100");
    assertThat(cluster.writes() - before - 100).isLessThanOrEqualTo(3);
  }

  @Test
  void aChangedQuotaIsCountedAtOnce() {
    quota("{pods: '5'}");
    ApiObject quota = cluster.require(Kinds.RESOURCE_QUOTA.key("default", "q"));
    cluster.update(Kinds.RESOURCE_QUOTA, quota.with(List.of("spec", "hard", "pods"), "7"));
    driver.settle();

    assertThat(status().text("hard", "pods")).isEqualTo("7");
  }
}
