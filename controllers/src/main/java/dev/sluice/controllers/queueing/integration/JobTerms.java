package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.ObjectIndex;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;

/** The terms by which jobs and workloads are indexed: owners, prebuilt workloads, priorities. */
public final class JobTerms {
  private JobTerms() {}

  /** An index of the workloads by their owners. */
  public static ObjectIndex<String> workloadsByOwner(Cluster cluster) {
    return new ObjectIndex<>(cluster, Kinds.WORKLOAD, JobTerms::owners);
  }

  private static List<String> owners(ApiObject object) {
    return object.owners().stream().map(owner -> ownedBy(object, owner)).toList();
  }

  /** The terms of a job: its owners, its prebuilt workload, its priority class. */
  static List<String> of(QueuedJob job) {
    ApiObject object = job.object();
    var terms = new ArrayList<>(owners(object));
    String name = ManagedJobs.prebuilt(object);
    if (!name.isEmpty()) {
      terms.add(prebuilt(Kinds.WORKLOAD.key(object.namespace(), name)));
    }
    JobPriority.named(job).map(JobTerms::ofClass).ifPresent(terms::add);
    return terms;
  }

  /** The term of the jobs whose priority comes from a class. */
  public static String ofClass(ObjectKey priorityClass) {
    return priorityClass.kind().kind() + "/" + priorityClass.name();
  }

  /** The term of the jobs that name a prebuilt workload. */
  public static String prebuilt(ObjectKey workload) {
    return "prebuilt/" + workload.path();
  }

  /** The term of the objects that an owner of {@code object} owns. */
  static String ownedBy(ApiObject object, OwnerReference owner) {
    return term(owner.group(), owner.kind(), object.namespace(), owner.name());
  }

  /** The term of the objects that {@code owner} owns. */
  static String ownedBy(ApiObject owner) {
    String group = OwnerReference.controller(owner).group();
    return term(group, owner.kind(), owner.namespace(), owner.name());
  }

  /** The term of the objects that name an owner, which may be gone. */
  static String ownedBy(ObjectKey owner) {
    return term(owner.kind().group(), owner.kind().kind(), owner.namespace(), owner.name());
  }

  private static String term(String group, String kind, String namespace, String name) {
    return String.join("/", group, kind, namespace, name);
  }
}
