package dev.sluice.controllers.queueing.kinds;

import dev.sluice.controllers.queueing.integration.JobIntegration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.patch.Pointer;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.Locale;

/**
 * The integration of a kind whose spec has pod templates, each with a number of pods, and a field
 * that suspends the job. Each template becomes a pod set.
 */
interface TemplateIntegration extends JobIntegration {

  /**
   * A pod template of a job.
   *
   * @param name of the pod set, once it is in lower case
   * @param template where the template is
   */
  record Role(String name, long count, Pointer template) {}

  /** The pod templates of a job, in the order of the pod sets. */
  List<Role> roles(ApiObject job);

  /** The path of the field that suspends the job. */
  default List<String> suspendPath() {
    return List.of("spec", "suspend");
  }

  @Override
  default boolean suspended(ApiObject job) {
    return job.tree().flag(suspendPath().toArray(String[]::new));
  }

  @Override
  default ApiObject withSuspended(ApiObject job, boolean suspended) {
    return job.with(suspendPath(), suspended);
  }

  @Override
  default List<PodSet> podSets(ApiObject job) {
    return roles(job).stream().map(role -> podSet(job, role)).toList();
  }

  private static PodSet podSet(ApiObject job, Role role) {
    Tree template = role.template().find(job.tree()).map(Value::asTree).orElse(Tree.EMPTY);
    return PodSet.of(
        role.name().toLowerCase(Locale.ROOT),
        Math.toIntExact(role.count()),
        new PodTemplate(template));
  }

  @Override
  default ApiObject withPodSets(ApiObject job, List<PodSet> podSets) {
    List<Role> roles = roles(job);
    Value changed = job.tree();
    for (int i = 0; i < roles.size(); i++) {
      changed = roles.get(i).template().replace(changed, podSets.get(i).template().tree());
    }
    return ApiObject.of(changed);
  }
}
