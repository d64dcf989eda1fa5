package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Instant;
import java.util.List;

/** Objects for tests of rules, and the causes of refusals. */
final class RuleFixtures {
  private RuleFixtures() {}

  /** The fields in the causes of a refusal; empty if the object was accepted. */
  static List<String> fields(Runnable check) {
    return causes(check).stream().map(ApiFailure.Cause::field).toList();
  }

  /** The causes of a refusal; empty if the object was accepted. Any other failure is a bug. */
  static List<ApiFailure.Cause> causes(Runnable check) {
    try {
      check.run();
      return List.of();
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.FORBIDDEN)) {
        throw refused;
      }
      return refused.failure().causes();
    }
  }

  static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }

  static ApiObject object(String yaml) {
    return new ApiObject(tree(yaml));
  }

  /** A plain pod. */
  static ApiObject pod() {
    return object(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec: {containers: [{name: c, image: i, resources: {requests: {cpu: '1'}}}]}
        """);
  }

  /** A Job with a parallelism of 3. */
  static ApiObject job() {
    return Worlds.job("j", spec -> spec.with("parallelism", 3).with("completions", 3));
  }

  /** Creates the default LocalQueue. */
  static void createDefaultQueue(FakeCluster cluster) {
    cluster.create(Kinds.LOCAL_QUEUE, ApiObject.of(Kinds.LOCAL_QUEUE, "default", "default"));
  }

  /** The object with a true condition. */
  static ApiObject having(ApiObject object, String condition) {
    Tree status = new Condition(condition, true, "Test", "").in(object.status(), Instant.EPOCH);
    return object.withStatus(status);
  }
}
