package dev.sluice.controllers.nodes.local.fields;

import static dev.sluice.controllers.nodes.local.fields.FieldRule.harmless;
import static dev.sluice.controllers.nodes.local.fields.FieldRule.honoured;
import static dev.sluice.controllers.nodes.local.fields.FieldRule.refused;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The table of what the local node does with every field of a pod's spec, which the documentation
 * repeats. A field that is not in it is refused, so that no field is ignored silently.
 */
public final class FieldRules {
  private static final String LEAVE_IT = "leave it out";
  private static final String SCHEDULER = "it tells the scheduler where the pod may run";

  private final SortedMap<String, FieldRule> rules = new TreeMap<>();
  private final TreeSet<String> inner = new TreeSet<>();

  /**
   * The rules of a machine.
   *
   * @param user the id of the user that all processes run as
   * @param group the id of that user's group
   */
  public FieldRules(long user, long group) {
    Stream.of(
            pod(),
            PodSecurityRules.all("securityContext.", user, group),
            ContainerFieldRules.all(),
            PodSecurityRules.all("containers[].securityContext.", user, group),
            VolumeFieldRules.all())
        .flatMap(each -> each)
        .forEach(this::add);
  }

  private void add(FieldRule rule) {
    String field = rule.field();
    if (rules.putIfAbsent(field, rule) != null) {
      throw new IllegalStateException("two rules for " + field);
    }
    for (int i = 0; i < field.length(); i++) {
      if (field.charAt(i) == '.' || field.startsWith("[]", i)) {
        inner.add(field.substring(0, i));
      }
      if (field.startsWith("[].", i)) {
        inner.add(field.substring(0, i + 2));
      }
    }
  }

  /** The rules by the paths of their fields. */
  public SortedMap<String, FieldRule> all() {
    return Collections.unmodifiableSortedMap(rules);
  }

  /** Whether a field has fields with rules of their own. */
  public boolean isInner(String path) {
    return inner.contains(path);
  }

  /** Whether there is a rule for a field as a whole. */
  public boolean decides(String path) {
    return rules.containsKey(path);
  }

  /** Whether there is a rule for a field, or for fields in it. */
  public boolean knows(String path) {
    return rules.containsKey(path) || isInner(path);
  }

  /** The path of the rule for a field below a path. */
  public static String below(String path, String name) {
    String known =
        switch (name) {
          case "initContainers" -> "containers";
          case "startupProbe", "readinessProbe", "livenessProbe" -> "probe";
          default -> name;
        };
    return path.isEmpty() ? known : path + "." + known;
  }

  private static Stream<FieldRule> pod() {
    return Stream.of(
            honoured("activeDeadlineSeconds", "the pod fails with `DeadlineExceeded`"),
            honoured("restartPolicy", "with the kubelet's back-off from 10 s to 5 minutes"),
            honoured("terminationGracePeriodSeconds", "then whatever still runs is killed"),
            honoured("readinessGates", "the pod is ready once these conditions hold too"),
            honoured("hostname hostnameOverride", "as `HOSTNAME`; the machine keeps its own name"),
            honoured("hostNetwork", "every process uses the network of the machine"),
            honoured("shareProcessNamespace", "all processes of the machine see each other"),
            harmless(
                "affinity nodeName nodeSelector tolerations topologySpreadConstraints"
                    + " schedulerName schedulingGates schedulingGroup workloadRef priority"
                    + " priorityClassName preemptionPolicy overhead",
                SCHEDULER),
            harmless("imagePullSecrets", "images are not pulled"),
            harmless("subdomain", "there is no DNS of the cluster"),
            harmless("enableServiceLinks", "there are no Services"),
            harmless(
                "serviceAccount serviceAccountName automountServiceAccountToken",
                "no token is mounted; a process that talks to the API needs a kubeconfig"),
            harmless("resources.requests", "the scheduler reckons with them"),
            Stream.of(
                only("dnsPolicy", "processes use the resolver of the machine")
                    .unless("ClusterFirst", "ClusterFirstWithHostNet", "Default"),
                only("os.name", "this is a Linux machine").unless("linux"),
                only("hostUsers", "processes run in the user namespace of sluice").unless(true),
                only("hostPID", "a process gets no rights over those of others").unless(false),
                only("hostIPC", "a process gets no rights over those of others").unless(false),
                only("setHostnameAsFQDN", "the machine keeps its own name").unless(false)),
            refused("dnsConfig", "processes use the resolver of the machine", LEAVE_IT),
            refused("hostAliases", "processes share /etc/hosts of the machine", LEAVE_IT),
            refused(
                "ephemeralContainers",
                "debugging containers are not there",
                "use kubectl exec or the tools of the machine"),
            refused("resourceClaims", "there are no devices to claim", LEAVE_IT),
            refused(
                "resources.limits resources.claims",
                "there are no limits of whole pods",
                "give each container its own"),
            refused("runtimeClassName", "there is no container runtime", LEAVE_IT))
        .flatMap(each -> each);
  }

  private static FieldRule only(String field, String words) {
    return refused(field, words, LEAVE_IT).findFirst().orElseThrow();
  }
}
