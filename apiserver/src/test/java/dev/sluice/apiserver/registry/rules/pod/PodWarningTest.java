package dev.sluice.apiserver.registry.rules.pod;

import static dev.sluice.model.Kinds.CRON_JOB;
import static dev.sluice.model.Kinds.JOB;
import static dev.sluice.model.Kinds.POD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What writers of pods and of their templates are told although they get what they want. */
class PodWarningTest {
  private static final String DOUBLE =
      "{containers: [{name: main, image: i, env: [{name: A, value: a}, {name: A, value: b}]}]}";
  private static final String HIDDEN =
      "spec.containers[0].env[1]: hides previous definition of \"A\", which may be dropped when"
          + " using apply";

  private final World world = new World();

  record Case(String spec, String want) {}

  private static Case container(String rest, String want) {
    return new Case("{containers: [{name: main, image: i, " + rest + "}]}", want);
  }

  static final List<Case> CASES =
      List.of(
          new Case(DOUBLE, HIDDEN),
          container("env: [{name: A, value: a}, {name: A, value: $(A)b}]", ""),
          container(
              "ports: [{containerPort: 80}, {containerPort: 80}]",
              "spec.containers[0].ports[1]: duplicate port definition with"
                  + " spec.containers[0].ports[0]"),
          container("ports: [{containerPort: 80}, {containerPort: 80, protocol: UDP}]", ""),
          container(
              "ports: [{name: web, containerPort: 80, hostIP: 1.2.3.4}]",
              "spec.containers[0].ports[0]: hostIP set without hostPort: {Name:web HostPort:0"
                  + " ContainerPort:80 Protocol:TCP HostIP:1.2.3.4}"),
          container(
              "ports: [{containerPort: 80}, {containerPort: 80, hostPort: 81}]",
              "spec.containers[0].ports[1]: overlapping port definition with"
                  + " spec.containers[0].ports[0]"),
          container(
              "ports: [{containerPort: 80, hostPort: 8}, {containerPort: 80, hostPort: 9}]", ""),
          new Case(
              "{containers: [{name: a, image: i, ports: [{containerPort: 80}]}, {name: b, image: i,"
                  + " ports: [{containerPort: 80}]}]}",
              "spec.containers[1].ports[0]: duplicate port definition with"
                  + " spec.containers[0].ports[0]"),
          container("env: [{name: A, value: a}, {name: A, value: $(A)}]", HIDDEN),
          new Case(
              "{hostAliases: [{ip: 1.2.3.4}, {ip: 1.2.3.4}]}",
              "spec.hostAliases[1].ip: duplicate ip \"1.2.3.4\""),
          new Case(
              "{nodeSelector: {beta.kubernetes.io/os: linux}}",
              "spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use"
                  + " \"kubernetes.io/os\" instead"),
          new Case(
              "{volumes: [{name: v, glusterfs: {endpoints: e, path: p}}]}",
              "spec.volumes[0].glusterfs: deprecated in v1.25, non-functional in v1.26+"),
          new Case(
              "{volumes: [{name: v, storageos: {volumeName: s}}]}",
              "spec.volumes[0].storageOS: deprecated in v1.22, non-functional in v1.25+"),
          new Case(
              "{volumes: [{name: v, emptyDir: {}}, {name: w, nfs: {server: s, path: /}}]}", ""),
          new Case(
              "{volumes: [{name: v, configMap: {name: m, items: [{key: a, path: x}, {key: b, path:"
                  + " x/y}]}}]}",
              "volume \"v\" (ConfigMap \"m\"): overlapping paths: \"x/y\" with \"x\""),
          new Case(
              "{volumes: [{name: v, projected: {sources: [{secret: {name: s, items: [{key: a, path:"
                  + " p}]}}, {downwardAPI: {items: [{path: p/q, fieldRef: {fieldPath:"
                  + " metadata.name}}]}}]}}]}",
              "volume \"v\" (Projected): overlapping paths: \"p/q\" (DownwardAPI) with \"p\" (Secret"
                  + " \"s\")"),
          new Case(
              "{containers: [{name: a, image: i, ports: [{name: web, containerPort: 80}]}, {name: b,"
                  + " image: i, ports: [{name: web, containerPort: 81}]}]}",
              "spec.containers[1].ports[0]: duplicate port name \"web\" with"
                  + " spec.containers[0].ports[0], services and probes that select ports by name"
                  + " will use spec.containers[0].ports[0]"),
          new Case(
              "{dnsConfig: {nameservers: ['FD00::0:1']}}",
              "spec.dnsConfig.nameservers[0]: IPv6 address \"FD00::0:1\" should be in RFC 5952"
                  + " canonical format (\"fd00::1\")"),
          new Case(
              "{nodeSelector: {node-role.kubernetes.io/master: ''}}",
              "spec.nodeSelector[node-role.kubernetes.io/master]: use"
                  + " \"node-role.kubernetes.io/control-plane\" instead"),
          new Case(
              "{imagePullSecrets: [{}]}",
              "spec.imagePullSecrets[0].name: invalid empty name \"\""));

  @Test
  void ofVeryManyPortsOnlySomeAreTold() {
    String ports = String.join(", ", Collections.nCopies(20_000, "{containerPort: 80}"));
    Tree spec = World.yaml("{containers: [{name: main, image: i, ports: [" + ports + "]}]}");
    world.create(POD, MergePatch.apply(Samples.pod("p"), Tree.of("spec", spec)));

    assertThat(world.warnings).hasSizeBetween(100, 200);
  }

  @Test
  void ofVeryManyFilesOnlySomeAreTold() {
    String items = String.join(", ", Collections.nCopies(20_000, "{key: k, path: p}"));
    Tree spec = World.yaml("{volumes: [{name: v, configMap: {name: m, items: [" + items + "]}}]}");
    world.create(POD, MergePatch.apply(Samples.pod("p"), Tree.of("spec", spec)));

    assertThat(world.warnings).hasSizeBetween(100, 200);
  }

  @Test
  void anAnnotationThatDoesNothingAnyMoreIsTold() {
    Tree annotations =
        World.yaml(
            "{seccomp.security.alpha.kubernetes.io/pod: a,"
                + " scheduler.alpha.kubernetes.io/critical-pod: '', mine: b}");
    world.create(POD, Samples.pod("p").with(List.of("metadata", "annotations"), annotations));

    assertThat(world.warnings)
        .containsExactly(
            "metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in"
                + " v1.16+; use the \"priorityClassName\" field instead",
            "metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in"
                + " v1.27+; use the \"seccompProfile\" field instead");
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void aNewPodIsWarnedOf(Case c) {
    world.create(POD, MergePatch.apply(Samples.pod("p"), Tree.of("spec", World.yaml(c.spec()))));

    assertThat(world.warnings).isEqualTo(c.want().isEmpty() ? List.of() : List.of(c.want()));
  }

  @Test
  void aTemplateIsWarnedOfWhenItIsWrittenButNotWhenLabelsAre() {
    Tree doubled = Tree.of("spec", Tree.of("template", Tree.of("spec", World.yaml(DOUBLE))));
    ApiObject job = world.create(JOB, MergePatch.apply(Samples.job("a.b"), doubled));

    assertThat(world.warnings)
        .containsExactly(
            "metadata.name: this is used in Pod names and hostnames, which can result in surprising"
                + " behavior; a DNS label is recommended: [must not contain dots]",
            HIDDEN.replaceFirst("spec", "spec.template.spec"));

    world.warnings.clear();
    ApiObject labeled = world.update(JOB, job.withLabel("a", "b"));
    assertThat(world.warnings).isEmpty();
    world.update(JOB, labeled.with(List.of("spec", "parallelism"), 2));
    assertThat(world.warnings).containsExactly(HIDDEN.replaceFirst("spec", "spec.template.spec"));
  }

  @Test
  void theTemplateOfACronJobIsWarnedOf() {
    Tree job = Samples.job("j").tree("spec", "template");
    Tree template = MergePatch.apply(job, Tree.of("spec", World.yaml(DOUBLE)));
    Tree jobTemplate = Tree.of("spec", Tree.of("template", template));
    world.create(
        CRON_JOB,
        World.yaml("{apiVersion: batch/v1, kind: CronJob, metadata: {name: c}}")
            .with("spec", Tree.of("schedule", "* * * * *", "jobTemplate", jobTemplate)));

    assertThat(world.warnings)
        .containsExactly(HIDDEN.replaceFirst("spec", "spec.jobTemplate.spec.template.spec"));
  }

  @Test
  void lessTimeThanNoneToEndIsTheLeastThereIs() {
    Tree hasty = Samples.pod("p").with(List.of("spec", "terminationGracePeriodSeconds"), -5);

    assertThat(world.create(POD, hasty).spec().whole("terminationGracePeriodSeconds")).hasValue(1);
  }
}
