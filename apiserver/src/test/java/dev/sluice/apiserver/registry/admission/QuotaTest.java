package dev.sluice.apiserver.registry.admission;

import static dev.sluice.apiserver.registry.World.refused;
import static dev.sluice.model.Kinds.JOB;
import static dev.sluice.model.Kinds.POD;
import static dev.sluice.model.Kinds.PRIORITY_CLASS;
import static dev.sluice.model.Kinds.RESOURCE_QUOTA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.apiserver.registry.WriteOptions.FieldValidation;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** How quotas hold back what is created. */
@Timeout(60)
class QuotaTest {
  private final World world = new World();

  private ApiObject quota(String spec) {
    return world.create(
        RESOURCE_QUOTA,
        "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: " + spec + "}");
  }

  private static Tree pod(String name, String spec) {
    return MergePatch.apply(Samples.pod(name), Tree.of("spec", World.yaml(spec)));
  }

  private static Tree pod(String name, int cpu, int gpu) {
    return pod(
        name,
        "{containers: [{name: main, image: i, resources: {limits: {cpu: %d, example.com/gpu: %d}}}]}"
            .formatted(cpu, gpu));
  }

  private String refusal(Tree pod) {
    return refused(Reason.FORBIDDEN, () -> world.create(POD, pod)).message();
  }

  @Test
  void podsAreLetInUntilTheirNumberIsUsedUp() {
    quota("{hard: {pods: 2}}");
    world.create(POD, Samples.pod("a"));
    world.create(POD, Samples.pod("b"));

    assertThat(refusal(Samples.pod("c")))
        .isEqualTo(
            "pods \"c\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited:"
                + " pods=2");
    world.create(JOB, Samples.job("j"));
  }

  @Test
  void everyResourceThatIsExceededIsNamed() {
    quota("{hard: {requests.cpu: 3, limits.cpu: 8, requests.example.com/gpu: 1}}");
    world.create(POD, pod("a", 2, 1));

    assertThat(refusal(pod("b", 2, 1)))
        .endsWith(
            "exceeded quota: q, requested: requests.cpu=2,requests.example.com/gpu=1, used:"
                + " requests.cpu=2,requests.example.com/gpu=1, limited:"
                + " requests.cpu=3,requests.example.com/gpu=1");
    world.create(POD, pod("c", 1, 0));
  }

  @Test
  void containersMustSayWhatAQuotaLimits() {
    quota("{hard: {requests.cpu: 3, limits.memory: 1Gi}}");

    assertThat(
            refusal(
                pod(
                    "a",
                    "{initContainers: [{name: init, image: i}], containers: [{name: main, image: i,"
                        + " resources: {requests: {cpu: 1}}}]}")))
        .isEqualTo(
            "pods \"a\" is forbidden: failed quota: q: must specify limits.memory for: init,main;"
                + " requests.cpu for: init");
  }

  @Test
  void podsThatHaveEndedUseNothingButTheirPlace() {
    quota("{hard: {pods: 1, count/pods: 2}}");
    ApiObject ended = world.create(POD, Samples.pod("a"));
    world.updateStatus(POD, ended.withStatus(Tree.of("phase", "Succeeded")));
    world.create(POD, Samples.pod("b"));

    assertThat(refusal(Samples.pod("c")))
        .endsWith(
            "requested: count/pods=1,pods=1, used: count/pods=2,pods=1, limited:"
                + " count/pods=2,pods=1");
  }

  @Test
  void aPodThatDoesNotEndInItsTimeUsesNothingAnyMore() {
    quota("{hard: {pods: 1}}");
    world.create(POD, pod("a", "{nodeName: n}"));
    world.delete(POD, "a");
    refusal(Samples.pod("b"));
    world.pass(Duration.ofSeconds(61));

    world.create(POD, Samples.pod("b"));
  }

  @Test
  void objectsOfAnyKindAreCounted() {
    world.create(Kinds.CUSTOM_RESOURCE_DEFINITION, Samples.widgetDefinition());
    quota("{hard: {count/jobs.batch: 1, count/widgets.example.com: 1, configmaps: 1}}");
    world.create(JOB, Samples.job("j"));
    world.create(Samples.WIDGET, Samples.widget("w"));
    world.create(Kinds.CONFIG_MAP, Samples.configMap("c"));

    assertThat(refused(Reason.FORBIDDEN, () -> world.create(JOB, Samples.job("k"))).message())
        .isEqualTo(
            "jobs.batch \"k\" is forbidden: exceeded quota: q, requested: count/jobs.batch=1, used:"
                + " count/jobs.batch=1, limited: count/jobs.batch=1");
    refused(Reason.FORBIDDEN, () -> world.create(Samples.WIDGET, Samples.widget("x")));
    refused(Reason.FORBIDDEN, () -> world.create(Kinds.CONFIG_MAP, Samples.configMap("d")));
  }

  @Test
  void dryRunUsesNoQuota() {
    quota("{hard: {pods: 1}}");
    world.create(POD, Samples.pod("a"), world.options(true, FieldValidation.WARN));
    world.create(POD, Samples.pod("a"));
    refused(Reason.FORBIDDEN, () -> world.create(POD, Samples.pod("a")));
    world.delete(POD, "a");

    world.create(POD, Samples.pod("a"));
  }

  record Scoped(String name, String scope, String covered, String free) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String NEEDS =
      "{containers: [{name: main, image: i, resources: {requests: {cpu: 1}}}]}";

  private static String selector(String expression) {
    return "scopeSelector: {matchExpressions: [{scopeName: PriorityClass, " + expression + "}]}";
  }

  private static final String LOOKS_ELSEWHERE =
      "{affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: t,"
          + " namespaces: [other]}]}}}";

  static final List<Scoped> SCOPES =
      List.of(
          new Scoped("Terminating", "scopes: [Terminating]", "{activeDeadlineSeconds: 5}", "{}"),
          new Scoped(
              "NotTerminating", "scopes: [NotTerminating]", "{}", "{activeDeadlineSeconds: 5}"),
          new Scoped("BestEffort", "scopes: [BestEffort]", "{}", NEEDS),
          new Scoped("NotBestEffort", "scopes: [NotBestEffort]", NEEDS, "{}"),
          new Scoped(
              "priority in",
              selector("operator: In, values: [high]"),
              "{priorityClassName: high}",
              "{}"),
          new Scoped(
              "priority not in",
              selector("operator: NotIn, values: [high]"),
              "{}",
              "{priorityClassName: high}"),
          new Scoped(
              "any priority", selector("operator: Exists"), "{priorityClassName: high}", "{}"),
          new Scoped(
              "no priority", selector("operator: DoesNotExist"), "{}", "{priorityClassName: high}"),
          new Scoped(
              "CrossNamespacePodAffinity",
              "scopes: [CrossNamespacePodAffinity]",
              LOOKS_ELSEWHERE,
              "{}"));

  @ParameterizedTest
  @FieldSource("SCOPES")
  void onlyPodsInItsScopeCount(Scoped c) {
    world.create(
        PRIORITY_CLASS,
        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value:"
            + " 1}");
    quota("{hard: {pods: 0}, " + c.scope() + "}");
    world.create(POD, pod("free", c.free()));

    refusal(pod("covered", c.covered()));
  }

  @Test
  void howeverManyCreateAtOnceNoMoreGetInThanFit() throws Exception {
    quota("{hard: {pods: 25}}");
    var all = new ArrayList<Callable<Boolean>>();
    for (int i = 0; i < 200; i++) {
      Tree pod = Samples.pod("p" + i);
      all.add(() -> isCreated(pod));
    }
    int created = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Boolean> one : threads.invokeAll(all)) {
        created += one.get() ? 1 : 0;
      }
    }

    assertThat(created).isEqualTo(25);
    assertThat(world.store.snapshot().list(POD)).hasSize(25);
  }

  private boolean isCreated(Tree pod) {
    try {
      world.create(POD, pod);
      return true;
    } catch (ApiException refused) {
      assertThat(refused.failure().reason()).isEqualTo(Reason.FORBIDDEN);
      return false;
    }
  }

  record Bad(String spec, String field) {}

  static final List<Bad> BAD =
      List.of(
          new Bad("{hard: {cpus: 1}}", "spec.hard[cpus]"),
          new Bad("{hard: {pods: -1}}", "spec.hard[pods]"),
          new Bad("{hard: {pods: 500m}}", "spec.hard[pods]"),
          new Bad("{hard: {count/jobs.batch: 1.5}}", "spec.hard[count/jobs.batch]"),
          new Bad("{hard: {pods: 1}, scopes: [Odd]}", "spec.scopes"),
          new Bad("{hard: {pods: 1}, scopes: [BestEffort, NotBestEffort]}", "spec.scopes"),
          new Bad("{hard: {cpu: 1}, scopes: [BestEffort]}", "spec.scopes"),
          new Bad("{hard: {secrets: 1}, scopes: [Terminating]}", "spec.scopes"),
          new Bad(
              "{hard: {pods: 1}, " + selector("operator: In") + "}",
              "spec.scopeSelector.matchExpressions.values"),
          new Bad(
              "{hard: {pods: 1}, " + selector("operator: Exists, values: [a]") + "}",
              "spec.scopeSelector.matchExpressions.values"),
          new Bad(
              "{hard: {pods: 1}, " + selector("operator: Odd") + "}",
              "spec.scopeSelector.matchExpressions.operator"));

  @ParameterizedTest
  @FieldSource("BAD")
  void aQuotaIsRefused(Bad c) {
    assertThat(World.fields(refused(Reason.INVALID, () -> quota(c.spec())))).contains(c.field());
  }

  /** A change of a quota with two scopes, and what is refused of it, if anything. */
  record Change(String spec, String refused) {}

  static final List<Change> CHANGES =
      List.of(
          new Change("{hard: {pods: 7}}", ""),
          new Change("{scopes: [NotBestEffort, Terminating]}", ""),
          new Change("{" + selector("operator: Exists") + "}", ""),
          new Change("{scopes: [Terminating]}", "spec.scopes"),
          new Change("{scopes: [Terminating, BestEffort]}", "spec.scopes"),
          new Change("{scopes: null}", "spec.scopes"),
          new Change("{hard: {secrets: 1}}", "spec.scopes"));

  @ParameterizedTest
  @FieldSource("CHANGES")
  void theScopesOfAQuotaStay(Change c) {
    ApiObject quota = quota("{hard: {pods: 1, cpu: 1000m}, scopes: [Terminating, NotBestEffort]}");
    assertThat(quota.spec().tree("hard")).hasToString("{\"cpu\":\"1\",\"pods\":\"1\"}");
    Tree spec = MergePatch.apply(quota.spec(), World.yaml(c.spec()));

    if (c.refused().isEmpty()) {
      assertThat(world.update(RESOURCE_QUOTA, quota.withSpec(spec)).spec())
          .isNotEqualTo(quota.spec());
    } else {
      ApiFailure failure =
          refused(Reason.INVALID, () -> world.update(RESOURCE_QUOTA, quota.withSpec(spec)));
      assertThat(World.fields(failure)).contains(c.refused());
    }
  }
}
