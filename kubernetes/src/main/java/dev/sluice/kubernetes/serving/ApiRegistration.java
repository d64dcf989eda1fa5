package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/**
 * The registration by which an API server passes the requests for a group on to us: an APIService
 * for each version, and from outside the cluster the Service that they name.
 */
final class ApiRegistration implements CalledServer.Registration {
  private static final ResourceKind API_SERVICE =
      new ResourceKind("apiregistration.k8s.io", "v1", "APIService", "apiservices", false);

  /** What Kueue's own has: behind all built-in groups, and no version before another. */
  private static final int PRIORITY = 100;

  private final UncachedObjects objects;
  private final ApiAddress address;
  private final String group;
  private final List<String> versions;
  private final Optional<ExternalService> outside;

  ApiRegistration(
      UncachedObjects objects, ApiAddress address, String group, List<String> versions) {
    this.objects = objects;
    this.address = address;
    this.group = group;
    this.versions = List.copyOf(versions);
    this.outside =
        address
            .outside()
            .map(
                host -> new ExternalService(objects, address.namespace(), address.service(), host));
  }

  @Override
  public void register(int port, String bundle) {
    outside.ifPresent(service -> service.lead(port));
    for (String version : versions) {
      Tree spec =
          Tree.of(
              "caBundle",
              CertificateKeeper.encoded(bundle),
              "group",
              group,
              "groupPriorityMinimum",
              PRIORITY,
              "service",
              service(port),
              "version",
              version,
              "versionPriority",
              PRIORITY);
      write(key(version), spec);
    }
  }

  private Tree service(int port) {
    return Tree.of(
        "name", address.service(), "namespace", address.namespace(), "port", address.port(port));
  }

  private ObjectKey key(String version) {
    return API_SERVICE.key(version + "." + group);
  }

  private void write(ObjectKey key, Tree spec) {
    Optional<ApiObject> found = objects.get(key);
    if (found.isEmpty()) {
      objects.create(key, ApiObject.of(key.kind(), key.namespace(), key.name()).withSpec(spec));
    } else if (!found.get().spec().equals(spec)) {
      objects.update(key, found.get().withSpec(spec));
    }
  }

  @Override
  public void unregister(int port) {
    outside
        .filter(ExternalService::leadsHere)
        .filter(_ -> removeApis(port))
        .ifPresent(ExternalService::leave);
  }

  /** Returns whether any led here: else the Service belongs to a later manager. */
  private boolean removeApis(int port) {
    boolean any = false;
    for (String version : versions) {
      Optional<ApiObject> ours =
          objects
              .get(key(version))
              .filter(found -> found.spec().tree("service").equals(service(port)));
      ours.ifPresent(found -> remove(key(version), found));
      any |= ours.isPresent();
    }
    return any;
  }

  /** An account that may not delete it, as the one of the installation, makes it lead nowhere. */
  private void remove(ObjectKey key, ApiObject found) {
    try {
      objects.delete(key, found);
    } catch (ApiException refused) {
      if (refused.is(Reason.FORBIDDEN)) {
        objects.update(key, found.withSpec(found.spec().without("service").without("caBundle")));
      } else if (!refused.is(Reason.NOT_FOUND) && !refused.is(Reason.CONFLICT)) {
        throw refused;
      }
    }
  }

  /** Why the API server does not pass requests on; empty if it does. */
  Optional<String> complaint() {
    return versions.stream().flatMap(version -> complaint(version).stream()).findFirst();
  }

  private Optional<String> complaint(String version) {
    Optional<Tree> told =
        objects.get(key(version)).flatMap(found -> Condition.find(found.status(), "Available"));
    return told.isEmpty()
        ? Optional.of("it has not looked yet")
        : told.filter(one -> !one.text("status").equals("True"))
            .map(one -> one.text("reason") + ": " + one.text("message"));
  }

  /**
   * Chooses another way for the Service to lead here, if the complaint is about the way and there
   * is another; it takes effect with the next registration.
   */
  boolean leadsAnotherWay(String complaint) {
    if (!isAboutTheWay(complaint) || outside.isEmpty()) {
      return false;
    }
    boolean may = outside.get().hasAddress() && !outside.get().leadsByAddress();
    if (may) {
      outside.get().leadByAddress();
    }
    return may;
  }

  /** Whether an API server follows Services to addresses only, and this one has but a name. */
  static boolean isAboutTheWay(String complaint) {
    return complaint.contains("unsupported service type");
  }
}
