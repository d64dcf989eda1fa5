package dev.sluice.conformance.apiserver;

import java.util.List;

/** What templates say of anything but their containers, good and bad. */
final class TemplateSamples {
  private TemplateSamples() {}

  /** What a volume has beside its name. */
  static final List<String> VOLUMES =
      List.of(
          "name: ''",
          "name: A",
          "emptyDir: {medium: Odd}",
          "emptyDir: {medium: HugePages-2Mi}",
          "emptyDir: {sizeLimit: -1}",
          "emptyDir: {}, hostPath: {path: /a}",
          "hostPath: {}",
          "hostPath: {path: /a, type: Odd}",
          "hostPath: {path: /a/../b}",
          "configMap: {}",
          "configMap: {name: c, defaultMode: 512}",
          "configMap: {name: c, items: [{}]}",
          "configMap: {name: c, items: [{key: a, path: /b}]}",
          "configMap: {name: c, items: [{key: a, path: ../b, mode: 512}]}",
          "configMap: {name: c, items: [{key: a, path: ..b}]}",
          "configMap: {name: c, items: [{key: a, path: b, mode: 256}]}",
          "secret: {}",
          "secret: {secretName: s, defaultMode: -1, items: [{}]}",
          "secret: {secretName: s, optional: true}",
          "downwardAPI: {}",
          "downwardAPI: {defaultMode: 512}",
          "downwardAPI: {items: [{}]}",
          "downwardAPI: {items: [{path: a}]}",
          "downwardAPI: {items: [{path: /a, fieldRef: {fieldPath: metadata.labels}}]}",
          "downwardAPI: {items: [{path: a, fieldRef: {fieldPath: spec.nodeName}}]}",
          "downwardAPI: {items: [{path: a, fieldRef: {fieldPath: metadata.name}, resourceFieldRef:"
              + " {resource: limits.cpu}}]}",
          "downwardAPI: {items: [{path: a, resourceFieldRef: {resource: limits.cpu}}]}",
          "downwardAPI: {items: [{path: a, resourceFieldRef: {containerName: main, resource:"
              + " limits.cpu, divisor: 1m}}]}",
          "downwardAPI: {items: [{path: a, mode: 512, fieldRef: {fieldPath: metadata.name}}]}",
          "projected: {sources: [{configMap: {}}]}",
          "projected: {sources: [{secret: {}}]}",
          "projected: {sources: [{configMap: {name: a}, secret: {name: b}}]}",
          "projected: {sources: [{configMap: {name: a, items: [{key: a, path: x}]}}, {secret:"
              + " {name: a, items: [{key: a, path: x}]}}]}",
          "projected: {sources: [{serviceAccountToken: {}}]}",
          "projected: {sources: [{serviceAccountToken: {path: a, expirationSeconds: 5}}]}",
          "projected: {sources: [{serviceAccountToken: {path: a}}], defaultMode: 512}",
          "projected: {sources: [{downwardAPI: {items: [{}]}}]}",
          "persistentVolumeClaim: {}",
          "persistentVolumeClaim: {claimName: c}",
          "nfs: {}",
          "csi: {}",
          "ephemeral: {}",
          "image: {}",
          "image: {reference: i}");

  private static String nodeTerm(String term) {
    return "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
        + " {nodeSelectorTerms: ["
        + term
        + "]}}}}";
  }

  private static String podTerm(String term) {
    return "{affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
        + term
        + "]}}}";
  }

  private static String spread(String constraint) {
    return "{topologySpreadConstraints: [" + constraint + "]}";
  }

  /** Where pods may go. */
  static final List<String> PLACES =
      List.of(
          "{nodeSelector: {'a b': c}}",
          "{nodeSelector: {a: 'b c'}}",
          nodeTerm(""),
          nodeTerm("{}"),
          nodeTerm("{matchExpressions: [{}]}"),
          nodeTerm("{matchExpressions: [{key: a, operator: Odd}]}"),
          nodeTerm("{matchExpressions: [{key: a, operator: In}]}"),
          nodeTerm("{matchExpressions: [{key: a, operator: In, values: ['b c']}]}"),
          nodeTerm("{matchExpressions: [{key: 'a b', operator: Exists}]}"),
          nodeTerm("{matchExpressions: [{key: a, operator: Exists, values: [b]}]}"),
          nodeTerm("{matchExpressions: [{key: a, operator: Gt}]}"),
          nodeTerm("{matchExpressions: [{key: a, operator: Gt, values: ['1', '2']}]}"),
          nodeTerm("{matchExpressions: [{key: a, operator: Lt, values: [odd]}]}"),
          nodeTerm("{matchFields: [{key: metadata.name, operator: In, values: [n]}]}"),
          nodeTerm("{matchFields: [{key: metadata.name, operator: In, values: [n, m]}]}"),
          nodeTerm("{matchFields: [{key: odd, operator: In, values: [n]}]}"),
          nodeTerm("{matchFields: [{key: metadata.name, operator: Exists}]}"),
          "{affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
              + " [{weight: 0, preference: {}}]}}}",
          "{affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
              + " [{weight: 101, preference: {matchExpressions: [{key: a, operator: Odd}]}}]}}}",
          podTerm("{}"),
          podTerm("{topologyKey: 'a b'}"),
          podTerm("{topologyKey: t}"),
          podTerm("{topologyKey: t, namespaces: [A]}"),
          podTerm("{topologyKey: t, labelSelector: {matchLabels: {'a b': c}}}"),
          podTerm("{topologyKey: t, labelSelector: {matchExpressions: [{key: a, operator: In}]}}"),
          podTerm(
              "{topologyKey: t, namespaceSelector: {matchExpressions: [{key: a, operator:"
                  + " Odd}]}}"),
          podTerm(
              "{topologyKey: t, labelSelector: {}, matchLabelKeys: [a], mismatchLabelKeys:"
                  + " [a]}"),
          podTerm("{topologyKey: t, matchLabelKeys: [a]}"),
          podTerm("{topologyKey: t, labelSelector: {matchLabels: {a: b}}, matchLabelKeys: [a]}"),
          podTerm("{topologyKey: t, labelSelector: {}, matchLabelKeys: ['a b']}"),
          "{affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 0,"
              + " podAffinityTerm: {topologyKey: ''}}]}}}",
          "{affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight:"
              + " 101, podAffinityTerm: {topologyKey: t}}]}}}",
          spread("{}"),
          spread("{maxSkew: 0, topologyKey: t, whenUnsatisfiable: DoNotSchedule}"),
          spread("{maxSkew: 1, topologyKey: 'a b', whenUnsatisfiable: Odd}"),
          spread("{maxSkew: 1, topologyKey: t, whenUnsatisfiable: DoNotSchedule}, ".repeat(2)),
          spread("{maxSkew: 1, topologyKey: t, whenUnsatisfiable: DoNotSchedule, minDomains: 0}"),
          spread("{maxSkew: 1, topologyKey: t, whenUnsatisfiable: ScheduleAnyway, minDomains: 1}"),
          spread(
              "{maxSkew: 1, topologyKey: t, whenUnsatisfiable: DoNotSchedule, nodeAffinityPolicy:"
                  + " Odd, nodeTaintsPolicy: Odd}"),
          spread(
              "{maxSkew: 1, topologyKey: t, whenUnsatisfiable: DoNotSchedule, labelSelector:"
                  + " {matchLabels: {'a b': c}}}"),
          spread(
              "{maxSkew: 1, topologyKey: t, whenUnsatisfiable: DoNotSchedule, matchLabelKeys:"
                  + " [a]}"),
          spread(
              "{maxSkew: 1, topologyKey: t, whenUnsatisfiable: DoNotSchedule, matchLabelKeys:"
                  + " [a, 'a b'], labelSelector: {matchLabels: {a: b}}}"),
          "{tolerations: [{}]}",
          "{tolerations: [{operator: Exists}]}",
          "{tolerations: [{operator: Exists, value: a}]}",
          "{tolerations: [{key: 'a b'}]}",
          "{tolerations: [{key: a, operator: Odd}]}",
          "{tolerations: [{key: a, operator: Lt, value: '5'}]}",
          "{tolerations: [{key: a, value: 'b c'}]}",
          "{tolerations: [{key: a, effect: Odd}]}",
          "{tolerations: [{key: a, effect: NoSchedule, tolerationSeconds: 5}]}",
          "{tolerations: [{key: a, tolerationSeconds: 5}]}",
          "{schedulingGates: [{}]}",
          "{schedulingGates: [{name: a}, {name: a}]}",
          "{schedulingGates: [{name: a.io/b}], nodeName: n}",
          "{nodeName: 'a b'}",
          "{schedulerName: ''}",
          "{priorityClassName: A}",
          "{priority: 5}",
          "{preemptionPolicy: Odd}",
          "{preemptionPolicy: Never}",
          "{runtimeClassName: A}",
          "{overhead: {cpu: -1}}",
          "{overhead: {odd: 1}}");

  private static String windows(String options) {
    return "{securityContext: {windowsOptions: {" + options + "}}}";
  }

  private static String hostProcess(String pod, String container, String rest) {
    return ("{securityContext: {windowsOptions: {%s}}, containers: [{name: a, image: i,"
            + " securityContext: {windowsOptions: {%s}}}, {name: b, image: i}], %s}")
        .formatted(pod, container, rest);
  }

  /** Pods for Windows, and for Linux. */
  static final List<String> SYSTEMS =
      List.of(
          "{os: {name: windows}}",
          "{os: {name: windows}, hostPID: true, hostIPC: true, hostUsers: true,"
              + " shareProcessNamespace: false}",
          "{os: {name: windows}, hostNetwork: true}",
          "{os: {name: windows}, securityContext: {runAsUser: 1, runAsGroup: 1, fsGroup: 1,"
              + " fsGroupChangePolicy: Always, supplementalGroups: [1], supplementalGroupsPolicy:"
              + " Merge, seLinuxOptions: {level: a}, sysctls: [{name: a, value: b}],"
              + " seccompProfile: {type: Unconfined}, appArmorProfile: {type: Unconfined}}}",
          "{os: {name: windows}, securityContext: {runAsNonRoot: true}}",
          "{os: {name: windows}, containers: [{name: a, image: i, securityContext: {runAsUser: 1,"
              + " runAsGroup: 1, privileged: false, allowPrivilegeEscalation: false, procMount:"
              + " Default, readOnlyRootFilesystem: false, capabilities: {}, seLinuxOptions: {},"
              + " seccompProfile: {type: Unconfined}, appArmorProfile: {type: Unconfined}}}]}",
          "{os: {name: windows}, initContainers: [{name: a, image: i, securityContext:"
              + " {privileged: true}}]}",
          "{os: {name: windows}, securityContext: {windowsOptions: {runAsUserName: a}}}",
          "{os: {name: linux}, securityContext: {windowsOptions: {runAsUserName: a}}}",
          "{os: {name: linux}, containers: [{name: a, image: i, securityContext: {windowsOptions:"
              + " {runAsUserName: a}}}]}",
          windows(""),
          windows("runAsUserName: ''"),
          windows("runAsUserName: 'NT AUTHORITY\\NETWORK SERVICE'"),
          windows("runAsUserName: 'a\\b\\c'"),
          windows("runAsUserName: 'acme.example\\bob'"),
          windows("runAsUserName: '\\bob'"),
          windows("runAsUserName: '.acme\\bob'"),
          windows("runAsUserName: 'acme\\'"),
          windows("runAsUserName: '. .'"),
          windows("runAsUserName: 'a@b'"),
          windows("runAsUserName: \"a\\tb\""),
          windows("runAsUserName: " + "a".repeat(104)),
          windows("runAsUserName: " + "a".repeat(105)),
          windows("runAsUserName: '%s\\b'".formatted("a.".repeat(127) + "aa")),
          windows("gmsaCredentialSpecName: A"),
          windows("gmsaCredentialSpecName: a.b"),
          windows("gmsaCredentialSpec: ''"),
          windows("gmsaCredentialSpec: a"),
          windows("gmsaCredentialSpec: " + "a".repeat(64 * 1024)),
          windows("gmsaCredentialSpec: " + "a".repeat(64 * 1024 + 1)),
          hostProcess("hostProcess: true", "hostProcess: false", "hostNetwork: true"),
          hostProcess("hostProcess: true", "", "hostNetwork: true"),
          hostProcess("hostProcess: true", "", "hostNetwork: false"),
          hostProcess("", "hostProcess: true", "hostNetwork: true"),
          hostProcess("hostProcess: false", "", ""),
          hostProcess("hostProcess: true", "", "hostNetwork: true, os: {name: windows}"));

  /** Everything else. */
  static final List<String> OTHERS =
      List.of(
          "{containers: []}",
          "{containers: [{name: a, image: i}, {name: a, image: i}]}",
          "{containers: [{name: a, image: i, ports: [{containerPort: 1, hostPort: 1}]}, {name: b,"
              + " image: i, ports: [{containerPort: 1, hostPort: 1}]}]}",
          "{activeDeadlineSeconds: 0}",
          "{activeDeadlineSeconds: 2147483648}",
          "{terminationGracePeriodSeconds: -1}",
          "{dnsPolicy: Odd}",
          "{dnsPolicy: ''}",
          "{dnsPolicy: None}",
          "{dnsPolicy: None, dnsConfig: {nameservers: [1.2.3.4]}}",
          "{dnsConfig: {nameservers: [odd], searches: ['a b'], options: [{}]}}",
          "{hostname: A}",
          "{hostname: a.b}",
          "{subdomain: A}",
          "{setHostnameAsFQDN: true, hostname: a}",
          "{hostNetwork: true, containers: [{name: a, image: i, ports: [{containerPort: 1,"
              + " hostPort: 2}]}]}",
          "{hostAliases: [{}]}",
          "{hostAliases: [{ip: odd, hostnames: [A]}]}",
          "{serviceAccountName: A}",
          "{serviceAccountName: a}",
          "{imagePullSecrets: [{name: A}]}",
          "{readinessGates: [{}]}",
          "{readinessGates: [{conditionType: a.io/b}]}",
          "{os: {}}",
          "{os: {name: odd}}",
          "{os: {name: linux}}",
          "{hostPID: true, shareProcessNamespace: true}",
          "{securityContext: {runAsUser: -1, runAsGroup: -1, fsGroup: -1, supplementalGroups:"
              + " [-1]}}",
          "{securityContext: {fsGroupChangePolicy: Odd, supplementalGroupsPolicy: Odd}}",
          "{securityContext: {sysctls: [{name: '', value: a}, {name: 'a b', value: a}]}}",
          "{securityContext: {sysctls: [{name: a, value: a}, {name: a, value: a}]}}",
          "{securityContext: {seccompProfile: {type: Odd}, appArmorProfile: {type: Odd}}}",
          "{resources: {requests: {cpu: 1}, limits: {cpu: 2}}}",
          "{resources: {requests: {example.com/a: 1}}}",
          "{resourceClaims: [{}]}",
          "{resourceClaims: [{name: a, resourceClaimName: c}]}",
          "{resourceClaims: [{name: a, resourceClaimName: c, resourceClaimTemplateName: d}]}",
          "{ephemeralContainers: [{name: e, image: i}]}",
          "{hostUsers: false, hostNetwork: true}",
          "{enableServiceLinks: false, automountServiceAccountToken: false}");
}
