package dev.sluice.controllers.nodes.local.fields;

import static dev.sluice.controllers.nodes.local.fields.FieldRule.harmless;
import static dev.sluice.controllers.nodes.local.fields.FieldRule.honoured;
import static dev.sluice.controllers.nodes.local.fields.FieldRule.refused;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.stream.Stream;

/** The rules of the fields of a container, apart from its {@code securityContext}. */
final class ContainerFieldRules {
  private static final String LEAVE_IT = "leave it out";
  private static final String EXPANDED = "`$(NAME)` is replaced";

  private ContainerFieldRules() {}

  static Stream<FieldRule> all() {
    return Stream.of(running(), environment(), ports(), resources(), hooks(), probes(), mounts())
        .flatMap(each -> each)
        .map(rule ->
            new FieldRule(
                "containers[]." + rule.field(),
                rule.treatment(),
                rule.accepts(),
                rule.except(),
                rule.words(),
                rule.wayOut()));
  }

  private static Stream<FieldRule> running() {
    return Stream.of(
            honoured("name", "it is in the paths of logs"),
            honoured("command", "required; a command of this machine. " + EXPANDED),
            honoured("args", EXPANDED),
            honoured("workingDir", "it must exist; a folder of its own without it"),
            honoured("restartPolicy", "`Always` makes an init container a sidecar"),
            honoured("restartPolicyRules[].exitCodes", "by the exit code of the process"),
            honoured("stdin stdinOnce", "for `kubectl attach -i`"),
            honoured("tty", "the process gets a terminal"),
            honoured(
                "terminationMessagePath terminationMessagePolicy",
                "the message is in the status; the file needs a mount namespace"),
            harmless("image imagePullPolicy", "images are not pulled"),
            refused("restartPolicyRules[].action", "it is not a known action", LEAVE_IT)
                .map(rule -> rule.unless("Restart", "RestartAllContainers")))
        .flatMap(each -> each);
  }

  private static Stream<FieldRule> environment() {
    return Stream.of(
            honoured("env[].name env[].value", EXPANDED),
            honoured(
                "env[].valueFrom.configMapKeyRef env[].valueFrom.secretKeyRef"
                    + " env[].valueFrom.fieldRef env[].valueFrom.resourceFieldRef",
                "read when the container starts"),
            honoured(
                "env[].valueFrom.fileKeyRef",
                "lines such as `NAME='value'` of a file in an emptyDir volume"),
            honoured(
                "envFrom[].prefix envFrom[].configMapRef envFrom[].secretRef",
                "read when the container starts"))
        .flatMap(each -> each);
  }

  private static Stream<FieldRule> ports() {
    return refused(
            "ports[]",
            "a hostPort other than the containerPort, or with a hostIP, cannot be had: processes"
                + " listen on ports of the machine itself",
            "leave out hostPort and hostIP")
        .map(rule -> rule.unless(ContainerFieldRules::isPlain, "ports that map nothing"));
  }

  private static boolean isPlain(Value port) {
    Tree tree = port.asTree();
    long mapped = tree.whole("hostPort").orElse(0);
    boolean same = mapped == 0 || mapped == tree.whole("containerPort").orElse(0);
    return same && tree.text("hostIP").isEmpty();
  }

  private static Stream<FieldRule> resources() {
    return Stream.of(
            honoured("resources.limits", "cpu and memory, where cgroups of version 2 allow it"),
            harmless("resources.requests", "the scheduler reckons with them"),
            harmless("resizePolicy", "running pods are not resized"),
            refused("resources.claims", "there are no devices to claim", LEAVE_IT),
            refused("volumeDevices", "a process gets no devices", LEAVE_IT))
        .flatMap(each -> each);
  }

  private static Stream<FieldRule> hooks() {
    return Stream.of(
            honoured(
                "lifecycle.postStart.exec lifecycle.postStart.sleep lifecycle.preStop.exec"
                    + " lifecycle.preStop.sleep",
                "with the variables and volumes of the container"),
            honoured(
                "lifecycle.postStart.httpGet lifecycle.preStop.httpGet",
                "any answer is a good one, as for a kubelet"),
            refused(
                "lifecycle.postStart.tcpSocket lifecycle.preStop.tcpSocket",
                "hooks cannot just connect, on no node",
                "use exec or httpGet"),
            refused("lifecycle.stopSignal", "this machine has no such signal", LEAVE_IT)
                .map(rule ->
                    rule.unless(
                        value -> StopSignals.number(value.asText()).isPresent(),
                        "the signals of Linux, such as `SIGINT`")))
        .flatMap(each -> each);
  }

  private static Stream<FieldRule> probes() {
    return Stream.of(
            honoured(
                "probe.exec probe.tcpSocket probe.httpGet probe.grpc", "asked as a kubelet does"),
            honoured(
                "probe.initialDelaySeconds probe.periodSeconds probe.timeoutSeconds"
                    + " probe.successThreshold probe.failureThreshold"
                    + " probe.terminationGracePeriodSeconds",
                "as a kubelet does"))
        .flatMap(each -> each);
  }

  private static Stream<FieldRule> mounts() {
    String own = "mounts are private to their process";
    return Stream.of(
            honoured(
                "volumeMounts[].name volumeMounts[].mountPath volumeMounts[].subPath"
                    + " volumeMounts[].subPathExpr volumeMounts[].readOnly",
                "in a mount namespace, where the machine allows one"),
            refused("volumeMounts[].mountPropagation", own, LEAVE_IT)
                .map(rule -> rule.unless("None")),
            refused("volumeMounts[].recursiveReadOnly", own, LEAVE_IT)
                .map(rule -> rule.unless("Disabled", "IfPossible")))
        .flatMap(each -> each);
  }
}
