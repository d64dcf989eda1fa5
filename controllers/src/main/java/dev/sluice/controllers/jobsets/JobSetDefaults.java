package dev.sluice.controllers.jobsets;

import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.ReplicatedJob;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;

/** The defaults of a JobSet that its schema cannot express. */
final class JobSetDefaults {
  private JobSetDefaults() {}

  static JobSet complete(JobSet set) {
    Tree spec = set.object().spec();
    Tree network = spec.tree("network");
    network = unlessPresent(network, "enableDNSHostnames", true);
    network = unlessPresent(network, "publishNotReadyAddresses", true);
    spec = spec.with("network", network);
    spec = unlessPresent(spec, "successPolicy", Tree.of("operator", "All"));
    spec = unlessPresent(spec, "startupPolicy", Tree.of("startupPolicyOrder", "AnyOrder"));
    if (spec.has("failurePolicy")) {
      spec = spec.with("failurePolicy", named(spec.tree("failurePolicy")));
    }
    if (spec.has("volumeClaimPolicies")) {
      spec = spec.with("volumeClaimPolicies", deleted(spec.trees("volumeClaimPolicies")));
    }
    List<ReplicatedJob> jobs = set.replicatedJobs().stream().map(JobSetDefaults::complete).toList();
    JobSet completed = new JobSet(set.object().withSpec(spec));
    return jobs.isEmpty() ? completed : completed.withReplicatedJobs(jobs);
  }

  private static Tree unlessPresent(Tree tree, String field, Object value) {
    return tree.has(field) ? tree : tree.with(field, value);
  }

  private static ReplicatedJob complete(ReplicatedJob replicated) {
    Tree spec = unlessPresent(replicated.template().tree("spec"), "completionMode", "Indexed");
    Tree pod = unlessPresent(spec.tree("template", "spec"), "restartPolicy", "OnFailure");
    Tree completed = spec.with(List.of("template", "spec"), pod);
    return new ReplicatedJob(replicated.tree().with(List.of("template", "spec"), completed));
  }

  /** Rules without a name are numbered. */
  private static Tree named(Tree policy) {
    var rules = new ArrayList<Tree>();
    for (Tree rule : policy.trees("rules")) {
      boolean named = !rule.text("name").isEmpty();
      rules.add(named ? rule : rule.with("name", "failurePolicyRule" + rules.size()));
    }
    return rules.isEmpty() ? policy : policy.with("rules", Items.of(rules));
  }

  private static Items deleted(List<Tree> policies) {
    return Items.of(
        policies.stream()
            .map(policy ->
                policy.with(
                    "retentionPolicy",
                    unlessPresent(policy.tree("retentionPolicy"), "whenDeleted", "Delete")))
            .toList());
  }
}
