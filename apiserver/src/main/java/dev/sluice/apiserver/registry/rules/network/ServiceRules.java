package dev.sluice.apiserver.registry.rules.network;

import static dev.sluice.apiserver.registry.rules.Edits.each;
import static dev.sluice.apiserver.registry.rules.Edits.orIfEmpty;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.core.Service;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;

/**
 * The rules of Services. There is no network behind them: a Service keeps the address that it was
 * given, and says which pods belong together.
 */
public final class ServiceRules implements KindRules {
  private static final Tree NO_BALANCER = Tree.of("loadBalancer", Tree.EMPTY);
  private static final List<String> TYPES =
      List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
  private static final List<String> AFFINITIES = List.of("ClientIP", "None");

  @Override
  public ApiObject withDefaults(ApiObject object) {
    Tree spec = orIfEmpty(object.spec(), "type", Service.CLUSTER_IP);
    spec = orIfEmpty(spec, "sessionAffinity", "None");
    spec = each(spec, "ports", ServiceRules::withDefaults);
    if (!spec.text("type").equals(Service.EXTERNAL_NAME)) {
      spec = orIfEmpty(spec, "internalTrafficPolicy", "Cluster");
      spec = orIfEmpty(spec, "ipFamilyPolicy", "SingleStack");
      spec = spec.has("ipFamilies") ? spec : spec.with("ipFamilies", List.of("IPv4"));
    }
    String address = spec.text("clusterIP");
    spec = address.isEmpty() ? spec : spec.with("clusterIPs", List.of(address));
    return object.withSpec(spec);
  }

  @Override
  public ApiObject onCreate(ApiObject object, Instant now) {
    return object.withStatus(NO_BALANCER);
  }

  private static Tree withDefaults(Tree port) {
    Tree complete = orIfEmpty(port, "protocol", "TCP");
    return orIfEmpty(complete, "targetPort", complete.at("port"));
  }

  @Override
  public String nameProblem(String name) {
    boolean begins = !name.isEmpty() && Character.isDigit(name.charAt(0));
    return begins
        ? "must begin with a letter, because it is a name in DNS"
        : NameSyntax.labelProblem(name);
  }

  @Override
  public ApiObject onStatus(ApiObject before, ApiObject after) {
    return after.withSpec(before.spec());
  }

  @Override
  public void check(ApiObject object, ValidationErrors problems) {
    var service = new Service(object);
    Tree spec = object.spec();
    problems.oneOf("spec.type", spec.text("type"), TYPES);
    problems.oneOf("spec.sessionAffinity", spec.text("sessionAffinity"), AFFINITIES);
    problems.labels("spec.selector", spec.texts("selector"));
    if (service.isExternal()) {
      String name = spec.text("externalName");
      if (name.isEmpty()) {
        problems.required("spec.externalName", "");
      } else {
        problems.invalidIf(NameSyntax.subdomainProblem(name), "spec.externalName", name);
      }
    } else if (spec.trees("ports").isEmpty() && !service.isHeadless()) {
      problems.required("spec.ports", "");
    }
    checkPorts(spec.trees("ports"), problems);
  }

  private static void checkPorts(List<Tree> ports, ValidationErrors problems) {
    var names = new TreeSet<String>();
    var numbers = new TreeSet<String>();
    for (int i = 0; i < ports.size(); i++) {
      String path = "spec.ports[" + i + "]";
      Tree port = ports.get(i);
      String name = port.text("name");
      long number = port.whole("port").orElse(0);
      if (name.isEmpty() && ports.size() > 1) {
        problems.required(path + ".name", "");
      } else if (!name.isEmpty()) {
        problems.invalidIf(NameSyntax.labelProblem(name), path + ".name", name);
        if (!names.add(name)) {
          problems.duplicate(path + ".name", name);
        }
      }
      problems.invalidIf(NameSyntax.portProblem(number), path + ".port", number);
      problems.oneOf(path + ".protocol", port.text("protocol"), PROTOCOLS);
      checkTarget(port.at("targetPort"), path + ".targetPort", problems);
      if (!numbers.add(port.text("protocol") + "/" + number)) {
        problems.duplicate(path, number + "/" + port.text("protocol"));
      }
    }
  }

  private static void checkTarget(Value target, String field, ValidationErrors problems) {
    switch (target) {
      case Value.Text(String name) ->
          problems.invalidIf(NameSyntax.portNameProblem(name), field, name);
      case Value.Whole(long number) ->
          problems.invalidIf(NameSyntax.portProblem(number), field, number);
      case Value other -> problems.invalid(field, other, "must be a port's number or name");
    }
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    boolean kept = !new Service(before).isExternal() && !new Service(after).isExternal();
    if (kept) {
      problems.immutable(
          "spec.clusterIP", before.spec().text("clusterIP"), after.spec().text("clusterIP"));
    }
  }

  /** An update that leaves the address out keeps it. */
  @Override
  public ApiObject onUpdate(ApiObject before, ApiObject after, Instant now) {
    boolean kept = after.spec().text("clusterIP").isEmpty() && !new Service(after).isExternal();
    return kept
        ? after.withSpec(
            after
                .spec()
                .with("clusterIP", before.spec().text("clusterIP"))
                .with("clusterIPs", before.spec().at("clusterIPs")))
        : after;
  }
}
