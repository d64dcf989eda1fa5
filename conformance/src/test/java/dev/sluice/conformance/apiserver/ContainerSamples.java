package dev.sluice.conformance.apiserver;

import java.util.List;
import java.util.stream.Stream;

/** What templates say of their containers, good and bad. */
final class ContainerSamples {
  private ContainerSamples() {}

  /** Fields of a container. */
  static final List<String> CONTAINERS =
      List.of(
          "image: ''",
          "name: ''",
          "name: A",
          "imagePullPolicy: Odd",
          "imagePullPolicy: '', terminationMessagePolicy: ''",
          "terminationMessagePolicy: Odd",
          "terminationMessagePath: ''",
          "restartPolicy: Always",
          "restartPolicy: Never",
          "restartPolicy: Odd",
          "restartPolicyRules: [{action: Restart, exitCodes: {operator: In, values: [1]}}]",
          "restartPolicy: Never, restartPolicyRules: [{action: Restart, exitCodes: {operator: In,"
              + " values: [1]}}]",
          "restartPolicy: Always, restartPolicyRules: [{action: Restart, exitCodes: {operator: In,"
              + " values: [1]}}]",
          "restartPolicy: Never, restartPolicyRules: [{action: RestartAllContainers, exitCodes:"
              + " {operator: NotIn, values: [1]}}]",
          "restartPolicy: Never, restartPolicyRules: [{}]",
          "restartPolicy: Never, restartPolicyRules: [{action: Odd, exitCodes: {}}]",
          "restartPolicy: Never, restartPolicyRules: [{action: Restart, exitCodes: {operator: Odd,"
              + " values: [1, 1]}}]",
          "restartPolicy: Never, restartPolicyRules: [{action: Restart, exitCodes: {operator: In,"
              + " values: [2, 1, 256, -1, 0]}}]",
          "restartPolicy: Never, restartPolicyRules: ["
              + "{action: Restart, exitCodes: {operator: In, values: [1]}}, ".repeat(21)
              + "]",
          "resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}]",
          "resizePolicy: [{resourceName: odd, restartPolicy: Odd}]",
          "resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}, {resourceName: cpu,"
              + " restartPolicy: NotRequired}]",
          "stdin: true, stdinOnce: true, tty: true, workingDir: odd",
          "resources: {requests: {cpus: 1}}",
          "resources: {requests: {'odd name': 1}}",
          "resources: {requests: {cpu: -1}}",
          "resources: {requests: {cpu: 2}, limits: {cpu: 1}}",
          "resources: {requests: {example.com/a: 1}}",
          "resources: {limits: {example.com/a: 1}}",
          "resources: {limits: {example.com/a: 500m}}",
          "resources: {requests: {example.com/a: 1}, limits: {example.com/a: 2}}",
          "resources: {limits: {hugepages-2Mi: 4Mi}}",
          "resources: {limits: {hugepages-2Mi: 4Mi, cpu: 1}}",
          "resources: {limits: {hugepages-2Mi: 3Mi, cpu: 1}}",
          "resources: {requests: {storage: 1Gi}}",
          "resources: {requests: {pods: 1}}",
          "resources: {requests: {requests.example.com/a: 1}}",
          "resources: {claims: [{name: gpu}]}");

  /** The surroundings of a container: ports, variables, and mounts of the volume {@code v}. */
  static final List<String> SURROUNDINGS =
      List.of(
          "ports: [{}]",
          "ports: [{containerPort: 70000}]",
          "ports: [{containerPort: -1, hostPort: -1}]",
          "ports: [{containerPort: 80, hostPort: 70000}]",
          "ports: [{containerPort: 80, protocol: Odd}]",
          "ports: [{containerPort: 80, protocol: ''}]",
          "ports: [{containerPort: 80, name: web}, {containerPort: 81, name: web}]",
          "ports: [{containerPort: 80, name: Web_}]",
          "ports: [{containerPort: 80, name: a--b}]",
          "ports: [{containerPort: 80, name: '80'}]",
          "ports: [{containerPort: 80, name: abcdefghijklmnop}]",
          "ports: [{containerPort: 80, hostPort: 80}, {containerPort: 81, hostPort: 80}]",
          "ports: [{containerPort: 80, hostPort: 80}, {containerPort: 81, hostPort: 80, protocol:"
              + " UDP}]",
          "env: [{}]",
          "env: [{name: a=b}]",
          "env: [{name: 'a b'}]",
          "env: [{name: 'ä'}]",
          "env: [{name: a, value: b, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]",
          "env: [{name: a, valueFrom: {}}]",
          "env: [{name: a, valueFrom: {fieldRef: {fieldPath: metadata.name}, secretKeyRef: {name:"
              + " s, key: k}}}]",
          "env: [{name: a, valueFrom: {fieldRef: {}}}]",
          "env: [{name: a, valueFrom: {fieldRef: {fieldPath: status.phase}}}]",
          "env: [{name: a, valueFrom: {fieldRef: {fieldPath: odd}}}]",
          "env: [{name: a, valueFrom: {fieldRef: {apiVersion: v2, fieldPath: metadata.name}}}]",
          "env: [{name: a, valueFrom: {fieldRef: {fieldPath: metadata.labels}}}]",
          "env: [{name: a, valueFrom: {fieldRef: {fieldPath: \"metadata.labels['a']\"}}}]",
          "env: [{name: a, valueFrom: {fieldRef: {fieldPath: \"metadata.labels['-']\"}}}]",
          "env: [{name: a, valueFrom: {fieldRef: {fieldPath: \"metadata.name['a']\"}}}]",
          "env: [{name: a, valueFrom: {fieldRef: {fieldPath: \"metadata.annotations['A/b']\"}}}]",
          "env: [{name: a, valueFrom: {fieldRef: {fieldPath: status.podIPs}}}]",
          "env: [{name: a, valueFrom: {resourceFieldRef: {}}}]",
          "env: [{name: a, valueFrom: {resourceFieldRef: {resource: odd}}}]",
          "env: [{name: a, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}]",
          "env: [{name: a, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 1m}}}]",
          "env: [{name: a, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 2}}}]",
          "env: [{name: a, valueFrom: {resourceFieldRef: {resource: requests.memory, divisor:"
              + " 1Mi}}}]",
          "env: [{name: a, valueFrom: {resourceFieldRef: {resource: requests.memory, divisor:"
              + " 3}}}]",
          "env: [{name: a, valueFrom: {resourceFieldRef: {resource: limits.hugepages-2Mi}}}]",
          "env: [{name: a, valueFrom: {configMapKeyRef: {}}}]",
          "env: [{name: a, valueFrom: {configMapKeyRef: {name: c, key: 'a b'}}}]",
          "env: [{name: a, valueFrom: {secretKeyRef: {}}}]",
          "env: [{name: a, valueFrom: {secretKeyRef: {name: c, key: ..a}}}]",
          "env: [{name: a, valueFrom: {fileKeyRef: {}}}]",
          "env: [{name: a, valueFrom: {fileKeyRef: {volumeName: v, path: a.env, key: K}}}]",
          "env: [{name: a, valueFrom: {fileKeyRef: {volumeName: none, path: a.env, key: K}}}]",
          "env: [{name: a, valueFrom: {fileKeyRef: {volumeName: c, path: a.env, key: K}}}]",
          "env: [{name: a, valueFrom: {fileKeyRef: {volumeName: v, path: ../a, key: K=}}}]",
          "env: [{name: a, valueFrom: {fileKeyRef: {volumeName: v, path: /a, key: K}}}]",
          "env: [{name: a, valueFrom: {fileKeyRef: {volumeName: v, path: ..a, key: %s}}}]"
              .formatted("K".repeat(129)),
          "envFrom: [{}]",
          "envFrom: [{configMapRef: {}}]",
          "envFrom: [{secretRef: {}}]",
          "envFrom: [{prefix: a=, configMapRef: {name: c}}]",
          "envFrom: [{configMapRef: {name: c}, secretRef: {name: s}}]",
          "volumeMounts: [{}]",
          "volumeMounts: [{name: none, mountPath: /a}]",
          "volumeMounts: [{name: v, mountPath: /a}, {name: c, mountPath: /a}]",
          "volumeMounts: [{name: v, mountPath: a:b}]",
          "volumeMounts: [{name: v, mountPath: /a, subPath: /b}]",
          "volumeMounts: [{name: v, mountPath: /a, subPath: ../b}]",
          "volumeMounts: [{name: v, mountPath: /a, subPath: b, subPathExpr: c}]",
          "volumeMounts: [{name: v, mountPath: /a, subPathExpr: ../c}]",
          "volumeMounts: [{name: v, mountPath: /a, mountPropagation: Odd}]",
          "volumeMounts: [{name: v, mountPath: /a, mountPropagation: Bidirectional}]",
          "volumeMounts: [{name: v, mountPath: /a, recursiveReadOnly: Enabled}]",
          "volumeMounts: [{name: v, mountPath: /a, recursiveReadOnly: Odd}]",
          "volumeDevices: [{name: v, devicePath: /a}]",
          "volumeDevices: [{}]",
          "securityContext: {privileged: true, allowPrivilegeEscalation: false}",
          "securityContext: {runAsUser: -1, runAsGroup: -1}",
          "securityContext: {procMount: Odd}",
          "securityContext: {capabilities: {add: [SYS_ADMIN]}, allowPrivilegeEscalation: false}",
          "securityContext: {seccompProfile: {type: Odd}}",
          "securityContext: {seccompProfile: {type: Localhost}}");

  /** Probes and hooks of a container. */
  static final List<String> HANDLERS =
      List.of(
          "livenessProbe: {}",
          "livenessProbe: {exec: {}}",
          "livenessProbe: {exec: {command: [a]}}",
          "livenessProbe: {exec: {command: [a]}, tcpSocket: {port: 1}}",
          "livenessProbe: {exec: {command: [a]}, successThreshold: 2}",
          "livenessProbe: {exec: {command: [a]}, periodSeconds: -1, timeoutSeconds: -1,"
              + " initialDelaySeconds: -1, failureThreshold: -1}",
          "livenessProbe: {exec: {command: [a]}, terminationGracePeriodSeconds: 0}",
          "livenessProbe: {exec: {command: [a]}, periodSeconds: 0, timeoutSeconds: 0,"
              + " successThreshold: 0, failureThreshold: 0}",
          "livenessProbe: {exec: {command: [a]}, terminationGracePeriodSeconds: 5}",
          "readinessProbe: {exec: {command: [a]}, terminationGracePeriodSeconds: 5}",
          "readinessProbe: {exec: {command: [a]}, successThreshold: 2}",
          "startupProbe: {exec: {command: [a]}, successThreshold: 2}",
          "startupProbe: {httpGet: {}}",
          "startupProbe: {httpGet: {port: web}}",
          "startupProbe: {httpGet: {port: web, path: '', scheme: ''}}",
          "startupProbe: {httpGet: {port: 70000, scheme: odd}}",
          "startupProbe: {httpGet: {port: Web_}}",
          "startupProbe: {httpGet: {port: 80, httpHeaders: [{name: 'a b', value: c}]}}",
          "startupProbe: {tcpSocket: {}}",
          "startupProbe: {tcpSocket: {port: 0}}",
          "startupProbe: {grpc: {}}",
          "startupProbe: {grpc: {port: 70000}}",
          "lifecycle: {}",
          "lifecycle: {postStart: {}}",
          "lifecycle: {postStart: {exec: {}}}",
          "lifecycle: {preStop: {httpGet: {}}}",
          "lifecycle: {preStop: {sleep: {seconds: 5}}}",
          "lifecycle: {preStop: {sleep: {seconds: 0}}}",
          "lifecycle: {preStop: {sleep: {seconds: -1}}}",
          "lifecycle: {preStop: {sleep: {seconds: 31}}}",
          "lifecycle: {preStop: {tcpSocket: {port: 1}}}",
          "lifecycle: {preStop: {exec: {command: [a]}, sleep: {seconds: 1}}}");

  /** Fields of a container that runs before the others. */
  static final List<String> INITS =
      Stream.concat(
              HANDLERS.stream().limit(11),
              Stream.of(
                  "restartPolicy: Always",
                  "restartPolicy: Never",
                  "restartPolicy: OnFailure",
                  "restartPolicy: Odd",
                  "restartPolicy: Always, lifecycle: {preStop: {exec: {command: [a]}}},"
                      + " startupProbe: {exec: {command: [a]}}, livenessProbe: {exec: {command:"
                      + " [a]}}, readinessProbe: {exec: {command: [a]}}",
                  "restartPolicy: Always, startupProbe: {}",
                  "lifecycle: {}",
                  "startupProbe: {exec: {command: [a]}}",
                  "restartPolicyRules: [{action: Restart}]",
                  "name: main",
                  "ports: [{containerPort: 80, hostPort: 80}]"))
          .toList();
}
