package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.kubernetes.CrdInstaller;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.jobset.JobSetDefinitions;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.model.kwok.KwokDefinitions;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The installation of what a cluster must have before a manager can run from outside of it: the
 * CustomResourceDefinitions that its controllers need, and namespaces. In a cluster, deploy/ has
 * them.
 */
final class Installation {
  private static final Logger LOG = LoggerFactory.getLogger(Installation.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Installation() {}

  /** Installs what is missing, as far as this account is allowed to. */
  static void complete(KubernetesCluster cluster, ManagerPlan plan) {
    var installer = new CrdInstaller(cluster, PATIENCE);
    try {
      if (plan.queues()) {
        installer.install(KueueDefinitions.all());
      }
      if (plan.groups().contains(Group.NODES)) {
        installer.install(missing(cluster, KwokDefinitions.all()));
      }
      if (plan.groups().contains(Group.JOBSETS)) {
        installer.install(missing(cluster, JobSetDefinitions.all()));
      }
      if (plan.queues()) {
        createNamespace(cluster, plan.namespace());
      }
      plan.election().ifPresent(election -> createNamespace(cluster, election.lease().namespace()));
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.FORBIDDEN)) {
        throw refused;
      }
      // Then an administrator installs it; what is really missing shows when it is read.
      LOG.warn("this account may not install anything: {}", refused.getMessage());
    }
  }

  /** Where KWOK or JobSet is installed, its own definitions stay. */
  private static List<ApiObject> missing(KubernetesCluster cluster, List<ApiObject> definitions) {
    return definitions.stream()
        .filter(
            definition -> cluster.get(definition.key(Kinds.CUSTOM_RESOURCE_DEFINITION)).isEmpty())
        .toList();
  }

  private static void createNamespace(KubernetesCluster cluster, String name) {
    var key = Kinds.NAMESPACE.key(name);
    if (cluster.uncached().get(key).isEmpty()) {
      cluster.uncached().create(key, ApiObject.of(Kinds.NAMESPACE, "", name));
    }
  }
}
