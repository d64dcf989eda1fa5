package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A Service of the cluster that leads to our machine outside of it. Mostly it only has the name of
 * the machine, which an API server looks up itself. One with {@code --enable-aggregator-routing}
 * follows a Service to addresses instead; for it there is an EndpointSlice, which cannot have
 * addresses of loopback.
 *
 * <p>Threads: one owner.
 */
final class ExternalService {
  private static final ResourceKind SLICE =
      new ResourceKind("discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", true);
  private static final String OF_SERVICE = "kubernetes.io/service-name";
  private static final Set<Reason> GONE_OR_NOT_OURS =
      EnumSet.of(Reason.FORBIDDEN, Reason.NOT_FOUND, Reason.CONFLICT);

  private final UncachedObjects objects;
  private final ObjectKey service;
  private final ObjectKey slice;
  private final String host;
  private boolean byAddress;

  ExternalService(UncachedObjects objects, String namespace, String name, String host) {
    this.objects = objects;
    this.service = Kinds.SERVICE.key(namespace, name);
    this.slice = SLICE.key(namespace, name);
    this.host = host;
  }

  /** Whether our machine has an address that an EndpointSlice can have. */
  boolean hasAddress() {
    return host.matches("[0-9]+(\\.[0-9]+){3}") && !host.startsWith("127.");
  }

  boolean leadsByAddress() {
    return byAddress;
  }

  /** From now on it leads to our address, not to our name. */
  void leadByAddress() {
    byAddress = true;
  }

  /** Lets it lead to a port of our machine, where it does not already. */
  void lead(int port) {
    if (byAddress) {
      writeSlice(port);
    }
    Tree wanted = byAddress ? withPort(port) : withName();
    Optional<ApiObject> found = objects.get(service);
    if (found.isEmpty()) {
      objects.create(service, named(service).withSpec(wanted));
    } else if (!isLike(found.get().spec(), port)) {
      Tree change = byAddress ? wanted.with("externalName", Value.Null.NULL) : wanted;
      objects.merge(service, Tree.of("spec", change));
    }
  }

  private static ApiObject named(ObjectKey key) {
    return ApiObject.of(key.kind(), key.namespace(), key.name());
  }

  private Tree withName() {
    return Tree.of("type", "ExternalName", "externalName", host);
  }

  private static Tree withPort(int port) {
    Tree one = Tree.of("port", port, "protocol", "TCP");
    return Tree.of("type", "ClusterIP", "ports", List.of(one));
  }

  private boolean isLike(Tree spec, int port) {
    return byAddress
        ? spec.text("externalName").isEmpty()
            && spec.trees("ports").stream().anyMatch(one -> one.whole("port").orElse(0) == port)
        : spec.text("externalName").equals(host);
  }

  private void writeSlice(int port) {
    Tree fields =
        Tree.of(
            "addressType",
            "IPv4",
            "endpoints",
            List.of(Tree.of("addresses", List.of(host))),
            "ports",
            List.of(Tree.of("name", "", "port", port, "protocol", "TCP")));
    Optional<ApiObject> found = objects.get(slice);
    if (found.isEmpty()) {
      ApiObject made = named(slice).withLabel(OF_SERVICE, service.name());
      objects.create(slice, new ApiObject(MergePatch.apply(made.tree(), fields)));
    } else if (!leadsTo(found.get(), port)) {
      objects.merge(slice, fields);
    }
  }

  private boolean leadsTo(ApiObject found, int port) {
    return hasOurAddress(found)
        && found.tree().trees("ports").stream()
            .anyMatch(one -> one.whole("port").orElse(0) == port);
  }

  private boolean hasOurAddress(ApiObject found) {
    return found.tree().trees("endpoints").stream()
        .anyMatch(one -> one.textItems("addresses").contains(host));
  }

  /** Removes it where our account may; left behind, nothing refers to it. */
  void leave() {
    for (ObjectKey key : byAddress ? List.of(slice, service) : List.of(service)) {
      try {
        objects.get(key).ifPresent(found -> objects.delete(key, found));
      } catch (ApiException refused) {
        if (!GONE_OR_NOT_OURS.contains(refused.failure().reason())) {
          throw refused;
        }
      }
    }
  }

  /** Whether it leads to our machine, and not to a later manager. */
  boolean leadsHere() {
    return byAddress
        ? objects.get(slice).filter(this::hasOurAddress).isPresent()
        : objects
            .get(service)
            .filter(found -> found.spec().text("externalName").equals(host))
            .isPresent();
  }
}
