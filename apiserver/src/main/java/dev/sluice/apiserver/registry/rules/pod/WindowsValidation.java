package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The validation of the operating system of a pod: a pod for Windows has no Linux security
 * settings, and the reverse. The Windows settings of a pod that names no operating system must
 * still be valid.
 */
final class WindowsValidation {
  private static final List<String> LINUX_OF_PODS =
      List.of(
          "appArmorProfile",
          "fsGroup",
          "fsGroupChangePolicy",
          "runAsGroup",
          "runAsUser",
          "seLinuxChangePolicy",
          "seLinuxOptions",
          "seccompProfile",
          "supplementalGroups",
          "supplementalGroupsPolicy",
          "sysctls");
  private static final List<String> LINUX_OF_CONTAINERS =
      List.of(
          "allowPrivilegeEscalation",
          "appArmorProfile",
          "capabilities",
          "privileged",
          "procMount",
          "readOnlyRootFilesystem",
          "runAsGroup",
          "runAsUser",
          "seLinuxOptions",
          "seccompProfile");

  private static final int MAX_CREDENTIALS = 64 * 1024;
  private static final int MAX_DOMAIN = 255;
  private static final int MAX_USER = 104;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
  private static final Pattern NET_BIOS =
      Pattern.compile("[^\\\\/:*?\"<>|.][^\\\\/:*?\"<>|]{0,14}");
  private static final String LABEL = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
  private static final Pattern DNS = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
  private static final Pattern NOT_OF_USERS = Pattern.compile("[\"/\\\\:;|=,+*?<>@\\[\\]]");
  private static final Pattern DOTS_AND_SPACES = Pattern.compile("[. ]+");

  private final ValidationErrors problems;

  WindowsValidation(ValidationErrors problems) {
    this.problems = problems;
  }

  void check(String field, Tree spec) {
    String system = spec.text("os", "name");
    Tree ofPod = spec.tree("securityContext");
    checkContext(field + ".securityContext", ofPod, system, LINUX_OF_PODS);
    if (system.equals("windows")) {
      refuseLinux(field, spec);
    }
    var hostProcesses = new ArrayList<Boolean>();
    for (String list : List.of("initContainers", "containers")) {
      List<Tree> containers = spec.trees(list);
      for (int i = 0; i < containers.size(); i++) {
        Tree own = containers.get(i).tree("securityContext");
        String at = "%s.%s[%d].securityContext".formatted(field, list, i);
        checkContext(at, own, system, LINUX_OF_CONTAINERS);
        checkSameHost(at, ofPod, own);
        hostProcesses.add(isOfHost(saysOfHost(own) ? own : ofPod));
      }
    }
    if (hostProcesses.contains(true)) {
      checkHostProcesses(field, spec, !hostProcesses.contains(false));
    }
  }

  private void checkContext(String at, Tree context, String system, List<String> linux) {
    if (system.equals("linux") && context.has("windowsOptions")) {
      problems.forbidden(at + ".windowsOptions", "windows options cannot be set for a linux pod");
    }
    for (String name : system.equals("windows") ? linux : List.<String>of()) {
      boolean empty = name.equals("sysctls") && context.items(name).isEmpty();
      refuse(at + "." + name, context.has(name) && !empty);
    }
    checkOptions(at + ".windowsOptions", context.tree("windowsOptions"));
  }

  /** Rejects the namespaces that processes can share on Linux only. */
  private void refuseLinux(String field, Tree spec) {
    refuse(field + ".hostPID", spec.flag("hostPID"));
    refuse(field + ".hostIPC", spec.flag("hostIPC"));
    refuse(field + ".hostUsers", spec.has("hostUsers"));
    refuse(field + ".shareProcessNamespace", spec.has("shareProcessNamespace"));
  }

  private void refuse(String at, boolean isSet) {
    if (isSet) {
      problems.forbidden(at, "cannot be set for a windows pod");
    }
  }

  private void checkOptions(String at, Tree options) {
    if (options.has("gmsaCredentialSpecName")) {
      String name = options.text("gmsaCredentialSpecName");
      problems.invalidIf(NameSyntax.subdomainProblem(name), at + ".gmsaCredentialSpecName", name);
    }
    if (options.has("gmsaCredentialSpec")) {
      int bytes = options.text("gmsaCredentialSpec").getBytes(StandardCharsets.UTF_8).length;
      if (bytes == 0 || bytes > MAX_CREDENTIALS) {
        problems.invalid(
            at + ".gmsaCredentialSpec", bytes + " bytes", "must have between 1 and 65536 bytes");
      }
    }
    if (options.has("runAsUserName")) {
      String name = options.text("runAsUserName");
      problems.invalidIf(userProblem(name), at + ".runAsUserName", name);
    }
  }

  /**
   * The problem with a user name, with or without a domain and a backslash; empty if it is valid.
   */
  private static String userProblem(String name) {
    if (CONTROL.matcher(name).find()) {
      return "cannot contain control characters";
    }
    int slash = name.indexOf('\\');
    if (slash != name.lastIndexOf('\\')) {
      return "cannot contain more than one backslash";
    }
    String domain = name.substring(0, Math.max(slash, 0));
    // The length is checked first: a pattern with many parts cannot match very long strings.
    boolean good =
        domain.length() <= MAX_DOMAIN
            && (NET_BIOS.matcher(domain).matches() || DNS.matcher(domain).matches());
    if (slash >= 0 && !good) {
      return "the domain must be a NetBIOS or DNS name of at most " + MAX_DOMAIN + " characters";
    }
    String user = name.substring(slash + 1);
    if (user.isEmpty() || user.length() > MAX_USER) {
      return "the user must have between 1 and " + MAX_USER + " characters";
    }
    if (DOTS_AND_SPACES.matcher(user).matches()) {
      return "the user cannot have only periods or spaces";
    }
    return NOT_OF_USERS.matcher(user).find()
        ? "the user cannot contain any of \"/\\:;|=,+*?<>@[]"
        : "";
  }

  private static boolean saysOfHost(Tree context) {
    return context.at("windowsOptions", "hostProcess") instanceof Value.Flag;
  }

  private static boolean isOfHost(Tree context) {
    return context.flag("windowsOptions", "hostProcess");
  }

  private void checkSameHost(String at, Tree pod, Tree container) {
    if (saysOfHost(pod) && saysOfHost(container) && isOfHost(pod) != isOfHost(container)) {
      problems.invalid(
          at + ".windowsOptions.hostProcess",
          isOfHost(container),
          "must be as in the pod's securityContext, where it is " + isOfHost(pod));
    }
  }

  private void checkHostProcesses(String field, Tree spec, boolean all) {
    if (!all) {
      problems.invalid(
          field,
          "",
          "if any container is a hostProcess container, all of them must be, also init containers");
    }
    if (!spec.flag("hostNetwork")) {
      problems.invalid(
          field + ".hostNetwork", false, "must be true if there are hostProcess containers");
    }
  }
}
