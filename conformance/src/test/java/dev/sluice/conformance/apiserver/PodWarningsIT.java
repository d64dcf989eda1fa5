package dev.sluice.conformance.apiserver;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.TwoServers;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Our API server and the real one take the same pods and templates, and tell their writers the same
 * of what is out of date or cannot be meant.
 */
@RequiresKubernetes
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodWarningsIT {
  private static final String BATCH = "/apis/batch/v1/namespaces/default/";

  private final TwoServers servers;

  PodWarningsIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    this.servers = new TwoServers(kubernetes, folder);
  }

  @AfterAll
  void close() {
    servers.close();
  }

  private static String volume(String source) {
    return "{spec: {volumes: [{name: v, %s}]}}".formatted(source);
  }

  private static String items(String source, String list) {
    return volume("%s, items: [%s]}".formatted(source, list));
  }

  private static final String NESTED =
      "{key: a, path: x}, {key: b, path: x/y}, {key: c, path: xy}, {key: d, path: x}";
  private static final String NAMED = "fieldRef: {fieldPath: metadata.name}";

  static final List<String> TEMPLATES =
      List.of(
          volume("photonPersistentDisk: {pdID: p}"),
          volume("gitRepo: {repository: r}"),
          volume(
              "scaleIO: {gateway: g, system: s, secretRef: {name: s}, volumeName: v, storagePool:"
                  + " p}"),
          volume("flocker: {datasetName: d}"),
          volume("storageos: {volumeName: s}"),
          volume("quobyte: {registry: 'h:1', volume: v}"),
          volume("glusterfs: {endpoints: e, path: p}"),
          volume("cephfs: {monitors: [m]}"),
          volume("rbd: {monitors: [m], image: i}"),
          volume("nfs: {server: s, path: /p}"),
          volume("iscsi: {targetPortal: 'h:1', iqn: 'iqn.2001-04.com.example:a', lun: 0}"),
          volume("fc: {targetWWNs: [w], lun: 0}"),
          volume("azureFile: {secretName: s, shareName: s}"),
          volume("flexVolume: {driver: a/b}"),
          volume("vsphereVolume: {volumePath: p}"),
          volume("portworxVolume: {volumeID: p}"),
          volume(
              "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources:"
                  + " {requests: {storage: 1500m}, limits: {storage: 2500m}}}}}"),
          items("configMap: {name: m", NESTED),
          items("secret: {secretName: s", NESTED),
          items(
              "downwardAPI: {defaultMode: 420",
              "{path: p, " + NAMED + "}, {path: p, " + NAMED + "}"),
          volume("projected: {sources: [{configMap: {name: m, items: [" + NESTED + "]}}]}"),
          volume(
              "projected: {sources: [{secret: {name: s, items: [{key: a, path: t/a}]}}, {configMap:"
                  + " {name: m, items: [{key: b, path: t}]}}, {downwardAPI: {items: [{path: t/a/b, "
                  + NAMED
                  + "}]}}]}"),
          volume("projected: {sources: [{}]}"),
          "{spec: {nodeSelector: {node-role.kubernetes.io/master: ''}}}",
          "{spec: {nodeSelector: {app.kubernetes.io/created-by: me,"
              + " scheduler.alpha.kubernetes.io/preferAvoidPods: x}}}",
          "{spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
              + " {nodeSelectorTerms: [{matchExpressions: [{key: beta.kubernetes.io/os, operator:"
              + " Exists}]}]}}}}}",
          "{spec: {affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
              + " [{weight: 1, preference: {matchExpressions: [{key: beta.kubernetes.io/arch,"
              + " operator: In, values: ['-odd', good, '', "
              + "a".repeat(64)
              + "]}]}}]}}}}",
          "{spec: {affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
              + " [{topologyKey: k}]}, podAntiAffinity:"
              + " {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm:"
              + " {topologyKey: k}}]}}}}",
          "{spec: {containers: [{name: main, image: i, ports: [{name: web, containerPort: 1}]},"
              + " {name: b, image: i, ports: [{name: web, containerPort: 2}, {name: x,"
              + " containerPort: 3}]}], initContainers: [{name: c, image: i, restartPolicy: Always,"
              + " ports: [{name: x, containerPort: 4}]}]}}",
          "{spec: {hostAliases: [{ip: 010.1.2.3}, {ip: '::ffff:1.2.3.4'}, {ip: 'FD00::0:1'}, {ip:"
              + " '::1.2.3.4'}, {ip: 'fd00::1'}]}}",
          "{spec: {dnsConfig: {nameservers: [001.1.2.3, '1:0:0:2:0:0:0:3', 1.2.3.4]}}}",
          "{spec: {dnsConfig: {nameservers: ['fe80::1%eth0']}}}",
          "{spec: {hostAliases: [{ip: '1:2:3:4::5:6:7:8'}]}}",
          "{spec: {dnsConfig: {nameservers: ['[::1]', 1.2.3.256]}}}",
          "{metadata: {annotations: {scheduler.alpha.kubernetes.io/critical-pod: ''}}}",
          "{metadata: {annotations: {security.alpha.kubernetes.io/sysctls: a=b,"
              + " security.alpha.kubernetes.io/unsafe-sysctls: c=d}}}",
          "{metadata: {annotations: {seccomp.security.alpha.kubernetes.io/pod: runtime/default}}}",
          "{metadata: {annotations: {container.seccomp.security.alpha.kubernetes.io/main:"
              + " runtime/default}}}",
          "{metadata: {annotations: {seccomp.security.alpha.kubernetes.io/pod: runtime/default}},"
              + " spec: {securityContext: {seccompProfile: {type: RuntimeDefault}}}}");

  static final List<String> APP_ARMOR =
      List.of(
          "{container.apparmor.security.beta.kubernetes.io/main: unconfined}",
          "{container.apparmor.security.beta.kubernetes.io/main: runtime/default}",
          "{container.apparmor.security.beta.kubernetes.io/main: localhost/a}");

  @ParameterizedTest
  @FieldSource("TEMPLATES")
  void ofPods(String template) {
    Tree named = Tree.of("metadata", Tree.of("name", "p"));
    ask("/api/v1/namespaces/default/pods", MergePatch.apply(template(template), named));
  }

  @ParameterizedTest
  @FieldSource("TEMPLATES")
  void ofTemplates(String template) {
    jobs(template(template));
  }

  @ParameterizedTest
  @FieldSource("APP_ARMOR")
  void ofTemplatesWithProfiles(String annotations) {
    Tree annotated = template("{metadata: {annotations: %s}}".formatted(annotations));
    jobs(annotated);
  }

  @Test
  void ofTemplatesWhoseAnnotationSaysWhatTheFieldDoes() {
    jobs(
        template(
            "{metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/main:"
                + " unconfined}}, spec: {securityContext: {appArmorProfile: {type:"
                + " Unconfined}}}}"));
  }

  private static Tree template(String changes) {
    return MergePatch.apply(
        TwoServers.yaml("{spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}"),
        TwoServers.yaml(changes));
  }

  private void jobs(Tree template) {
    Tree name = Tree.of("name", "j");
    Tree job = Tree.of("template", template);
    ask(BATCH + "jobs", Tree.of("metadata", name, "spec", job));
    Tree cronJob = Tree.of("schedule", "* * * * *", "jobTemplate", Tree.of("spec", job));
    ask(BATCH + "cronjobs", Tree.of("metadata", name, "spec", cronJob));
  }

  private void ask(String path, Tree body) {
    // What becomes of the object itself is compared elsewhere.
    servers.ask("POST", path + "?dryRun=All", TwoServers.JSON, body, _ -> List.of());
  }
}
