package dev.sluice.controllers.nodes.local.fields;

import static dev.sluice.controllers.nodes.local.fields.FieldRule.harmless;
import static dev.sluice.controllers.nodes.local.fields.FieldRule.honoured;
import static dev.sluice.controllers.nodes.local.fields.FieldRule.refused;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.stream.Stream;

/** The rules of both kinds of {@code securityContext}: that of a pod and that of a container. */
final class PodSecurityRules {
  private static final String LEAVE_IT = "leave it out";

  private PodSecurityRules() {}

  /**
   * @param prefix of the fields
   * @param user the id of the user that all processes run as
   */
  static Stream<FieldRule> all(String prefix, long user, long group) {
    Stream<FieldRule> own =
        prefix.startsWith("containers") ? ofContainers(prefix) : ofPods(prefix, group);
    return Stream.concat(ofBoth(prefix, user, group), own);
  }

  private static Stream<FieldRule> ofBoth(String prefix, long user, long group) {
    return Stream.of(
        only(prefix + "runAsUser", "everything runs as the user who started sluice")
            .unless(new Value.Whole(user)::equals, "that user's own number"),
        only(prefix + "runAsGroup", "everything runs as the user who started sluice")
            .unless(new Value.Whole(group)::equals, "that user's own group"),
        refused(
                prefix + "runAsNonRoot",
                "everything runs as the user who started sluice, which is root",
                "start sluice as another user")
            .findFirst()
            .orElseThrow()
            .unless(
                value -> user != 0 || value == Value.Flag.FALSE,
                "`false`, and where sluice is not run by root"),
        only(prefix + "seccompProfile.type", "processes are not confined").unless("Unconfined"),
        only(prefix + "seccompProfile.localhostProfile", "processes are not confined"),
        only(prefix + "appArmorProfile.type", "processes are not confined").unless("Unconfined"),
        only(prefix + "appArmorProfile.localhostProfile", "processes are not confined"),
        only(prefix + "seLinuxOptions", "processes get no labels of SELinux"),
        only(prefix + "windowsOptions", "this is a Linux machine"));
  }

  private static Stream<FieldRule> ofPods(String prefix, long group) {
    return Stream.of(
            Stream.of(
                only(prefix + "fsGroup", "volumes belong to the user who started sluice")
                    .unless(new Value.Whole(group)::equals, "that user's own group"),
                only(prefix + "supplementalGroups", "processes have the groups of that user")
                    .unless(
                        value -> value.equals(Items.of(List.of(group))), "that user's own group"),
                only(prefix + "sysctls", "processes share the kernel's settings")),
            harmless(
                prefix
                    + "fsGroupChangePolicy "
                    + prefix
                    + "seLinuxChangePolicy "
                    + prefix
                    + "supplementalGroupsPolicy",
                "nothing is changed that it could be about"))
        .flatMap(each -> each);
  }

  private static Stream<FieldRule> ofContainers(String prefix) {
    return Stream.of(
            honoured(prefix + "allowPrivilegeEscalation", "`false` sets `no_new_privs`"),
            honoured(prefix + "capabilities.drop", "they are taken from the process"),
            Stream.of(
                only(prefix + "capabilities.add", "a process gets no capabilities"),
                only(prefix + "privileged", "a process gets no privileges").unless(false),
                only(prefix + "procMount", "processes share /proc of the machine")
                    .unless("Default"),
                only(prefix + "readOnlyRootFilesystem", "processes share the machine's files")
                    .unless(false)))
        .flatMap(each -> each);
  }

  private static FieldRule only(String field, String words) {
    return refused(field, words, LEAVE_IT).findFirst().orElseThrow();
  }
}
