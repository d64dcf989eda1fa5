package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The validation of the security contexts of pods and containers. */
final class SecurityValidation {
  private static final Pattern SYSCTL =
      Pattern.compile("[a-z0-9]([-_a-z0-9]*[a-z0-9])?([./][a-z0-9]([-_a-z0-9]*[a-z0-9])?)*");
  private static final int MAX_SYSCTL = 253;
  private static final List<String> PROFILES = List.of("Localhost", "RuntimeDefault", "Unconfined");
  private static final List<String> PROCESS_MOUNTS = List.of("Default", "Unmasked");
  private static final List<String> WHEN_TO_CHANGE = List.of("Always", "OnRootMismatch");
  private static final List<String> WHOSE_GROUPS = List.of("Merge", "Strict");

  private SecurityValidation() {}

  static void checkPod(String field, Tree context, ValidationErrors problems) {
    if (context.isEmpty()) {
      return;
    }
    checkIdentity(field, context, problems);
    checkId(field + ".fsGroup", context.whole("fsGroup"), problems);
    List<Value> groups = context.items("supplementalGroups");
    for (int i = 0; i < groups.size(); i++) {
      OptionalLong group = Tree.of("group", groups.get(i)).whole("group");
      checkId("%s.supplementalGroups[%d]".formatted(field, i), group, problems);
    }
    choose(field, context, "fsGroupChangePolicy", WHEN_TO_CHANGE, problems);
    choose(field, context, "supplementalGroupsPolicy", WHOSE_GROUPS, problems);
    checkSettings(field + ".sysctls", context.trees("sysctls"), problems);
  }

  static void checkContainer(String field, Tree context, ValidationErrors problems) {
    if (context.isEmpty()) {
      return;
    }
    checkIdentity(field, context, problems);
    choose(field, context, "procMount", PROCESS_MOUNTS, problems);
    boolean mayNotGain = context.at("allowPrivilegeEscalation") == Value.Flag.FALSE;
    if (mayNotGain && context.flag("privileged")) {
      problems.invalid(
          field,
          context,
          "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
    }
    if (mayNotGain && context.textItems("capabilities", "add").contains("CAP_SYS_ADMIN")) {
      problems.invalid(
          field,
          context,
          "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
    }
  }

  private static void checkIdentity(String field, Tree context, ValidationErrors problems) {
    checkId(field + ".runAsUser", context.whole("runAsUser"), problems);
    checkId(field + ".runAsGroup", context.whole("runAsGroup"), problems);
    for (String profile : List.of("seccompProfile", "appArmorProfile")) {
      if (context.has(profile)) {
        checkProfile(field + "." + profile, context.tree(profile), problems);
      }
    }
  }

  private static void checkProfile(String at, Tree profile, ValidationErrors problems) {
    String type = profile.text("type");
    boolean local = type.equals("Localhost");
    if (type.isEmpty()) {
      problems.required(at + ".type", "type is required when profile is set");
    } else {
      problems.oneOf(at + ".type", type, PROFILES);
    }
    if (local && profile.text("localhostProfile").isEmpty()) {
      problems.required(at + ".localhostProfile", "must be set when seccomp type is Localhost");
    }
    if (!local && profile.has("localhostProfile")) {
      problems.invalid(
          at + ".localhostProfile",
          profile.text("localhostProfile"),
          "can only be set when type is Localhost");
    }
  }

  private static void checkId(String at, OptionalLong id, ValidationErrors problems) {
    if (id.isPresent() && (id.getAsLong() < 0 || id.getAsLong() > Integer.MAX_VALUE)) {
      problems.invalid(at, id.getAsLong(), "must be between 0 and 2147483647, inclusive");
    }
  }

  private static void choose(
      String field, Tree context, String name, List<String> choices, ValidationErrors problems) {
    if (context.has(name)) {
      problems.oneOf(field + "." + name, context.text(name), choices);
    }
  }

  private static void checkSettings(String field, List<Tree> settings, ValidationErrors problems) {
    var names = new TreeSet<String>();
    for (int i = 0; i < settings.size(); i++) {
      String name = settings.get(i).text("name");
      String at = "%s[%d].name".formatted(field, i);
      if (name.isEmpty()) {
        problems.required(at, "");
      } else if (name.length() > MAX_SYSCTL || !SYSCTL.matcher(name).matches()) {
        problems.invalid(at, name, "must be the name of a kernel setting, such as net.ipv4.tcp_x");
      } else if (!names.add(name)) {
        problems.duplicate(at, name);
      }
    }
  }
}
