package dev.sluice.controllers.jobsets;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.JobSet.ClaimTemplate;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The validation of the volume claims of a new JobSet. */
final class ClaimValidation {
  private static final String FIELD = "spec.volumeClaimPolicies";

  private ClaimValidation() {}

  static void check(JobSet set, Cluster cluster, ValidationErrors problems) {
    List<String> names = set.claimTemplates().stream().map(ClaimTemplate::name).toList();
    for (ClaimTemplate template : set.claimTemplates()) {
      String name = template.name();
      problems.invalidIf(NameSyntax.labelProblem(name), FIELD, name);
      problems.invalidIf(NameSyntax.labelProblem(set.claimName(template)), FIELD, name);
      if (!template.tree().text("metadata", "namespace").isEmpty()) {
        problems.invalid(FIELD, name, "a claim is in the namespace of the JobSet: leave it out");
      }
      if (names.indexOf(name) != names.lastIndexOf(name)) {
        problems.duplicate(FIELD, name);
      }
      if (templates(set).noneMatch(pod -> pod.mounts(name))) {
        problems.invalid(FIELD, name, "must be mounted by a container of a replicated job");
      }
      if (templates(set).anyMatch(pod -> hasVolume(pod, name))) {
        problems.invalid(FIELD, name, "must not be a volume of a pod template as well");
      }
      checkExisting(set, template, cluster, problems);
    }
  }

  private static Stream<PodSpec> templates(JobSet set) {
    return set.replicatedJobs().stream().map(replicated -> replicated.job().podSpec());
  }

  private static boolean hasVolume(PodSpec pod, String name) {
    return pod.tree().trees("volumes").stream()
        .anyMatch(volume -> volume.text("name").equals(name));
  }

  /** A claim that exists can only be used if it is kept, and is what the template says. */
  private static void checkExisting(
      JobSet set, ClaimTemplate template, Cluster cluster, ValidationErrors problems) {
    String name = set.claimName(template);
    Optional<ApiObject> existing =
        cluster.get(Kinds.PERSISTENT_VOLUME_CLAIM.key(set.namespace(), name));
    if (existing.isPresent() && !template.keptWithoutJobSet()) {
      problems.invalid(
          FIELD, template.name(), "the claim " + name + " exists already; use whenDeleted: Retain");
    } else if (existing.isPresent() && !asks(existing.get().spec(), template)) {
      problems.invalid(
          FIELD, template.name(), "the claim " + name + " exists already with another spec");
    }
  }

  /** Fields that the server adds to a claim do not count. */
  private static boolean asks(Tree spec, ClaimTemplate template) {
    Tree wanted = template.tree().tree("spec");
    return wanted.names().stream().allMatch(name -> spec.at(name).equals(wanted.at(name)));
  }
}
