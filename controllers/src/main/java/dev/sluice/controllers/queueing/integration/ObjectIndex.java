package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.ChangedKeys;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * An index of the objects of a kind by terms that are read from each object, such as its owners, so
 * that no lookup has to search all objects.
 *
 * <p>Threads: {@link #changed} is safe; the rest belongs to the controller.
 */
public final class ObjectIndex {
  private final Cluster cluster;
  private final Function<ApiObject, Collection<String>> terms;
  private final ChangedKeys changed = new ChangedKeys();
  private final TreeMap<String, TreeSet<ObjectKey>> keysByTerm = new TreeMap<>();
  private final TreeMap<ObjectKey, List<String>> termsByKey = new TreeMap<>();

  public ObjectIndex(Cluster cluster, Function<ApiObject, Collection<String>> terms) {
    this.cluster = cluster;
    this.terms = terms;
  }

  /** An index of objects by their owners. */
  public static ObjectIndex owner(Cluster cluster) {
    return new ObjectIndex(cluster, ObjectIndex::owners);
  }

  private static List<String> owners(ApiObject object) {
    return object.owners().stream().map(owner -> ownedBy(object, owner)).toList();
  }

  /** The terms of a job: its owners, its prebuilt workload, its priority class. */
  static List<String> named(QueuedJob job) {
    ApiObject object = job.object();
    var terms = new ArrayList<>(owners(object));
    String name = ManagedJobs.prebuilt(object);
    if (!name.isEmpty()) {
      terms.add(prebuilt(Kinds.WORKLOAD.key(object.namespace(), name)));
    }
    JobPriority.named(job).map(ObjectIndex::ofClass).ifPresent(terms::add);
    return terms;
  }

  /** The term of the jobs that name a priority class. */
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

  /** The term of the objects that an object owns, also if it is gone. */
  static String ownedBy(ObjectKey owner) {
    return term(owner.kind().group(), owner.kind().kind(), owner.namespace(), owner.name());
  }

  private static String term(String group, String kind, String namespace, String name) {
    return String.join("/", group, kind, namespace, name);
  }

  /** Adds a changed object, to be read before the next lookup. */
  public void changed(ObjectKey key) {
    changed.add(key);
  }

  /** The objects with a term, by namespace and name. */
  public List<ApiObject> of(String term) {
    catchUp();
    var found = new ArrayList<ApiObject>();
    for (ObjectKey key : keysByTerm.getOrDefault(term, new TreeSet<>())) {
      cluster.get(key).ifPresent(found::add);
    }
    return found;
  }

  private void catchUp() {
    for (ObjectKey key : changed.takeAll()) {
      forget(key);
      List<String> said = cluster.get(key).map(terms).map(List::copyOf).orElse(List.of());
      if (!said.isEmpty()) {
        termsByKey.put(key, said);
        said.forEach(term -> keysByTerm.computeIfAbsent(term, ignored -> new TreeSet<>()).add(key));
      }
    }
  }

  private void forget(ObjectKey key) {
    List<String> said = termsByKey.remove(key);
    if (said == null) {
      return;
    }
    for (String term : said) {
      TreeSet<ObjectKey> keys = keysByTerm.get(term);
      if (keys != null && keys.remove(key) && keys.isEmpty()) {
        keysByTerm.remove(term);
      }
    }
  }
}
