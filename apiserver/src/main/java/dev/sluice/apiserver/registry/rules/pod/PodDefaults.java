package dev.sluice.apiserver.registry.rules.pod;

import static dev.sluice.apiserver.registry.rules.Edits.each;
import static dev.sluice.apiserver.registry.rules.Edits.inside;
import static dev.sluice.apiserver.registry.rules.Edits.orElse;
import static dev.sluice.apiserver.registry.rules.Edits.orIfEmpty;

import dev.sluice.apiserver.registry.rules.QuantityValidation;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** The defaults of pod specs, in pods and in pod templates. */
public final class PodDefaults {
  private static final int DEFAULT_MODE = 0644;
  private static final List<String> PROBES =
      List.of("livenessProbe", "readinessProbe", "startupProbe");
  private static final List<String> FILE_SOURCES =
      List.of("configMap", "secret", "projected", "downwardAPI");

  private PodDefaults() {}

  /** The defaults of a template, which also apply to pods. */
  public static Tree template(Tree spec) {
    Tree filled = orIfEmpty(spec, "restartPolicy", "Always");
    filled = orElse(filled, "terminationGracePeriodSeconds", 30);
    filled = orIfEmpty(filled, "dnsPolicy", "ClusterFirst");
    filled = orElse(filled, "securityContext", Tree.EMPTY);
    filled = orIfEmpty(filled, "schedulerName", "default-scheduler");
    filled = account(filled);
    filled = inside(filled, "overhead", QuantityValidation::canonical);
    filled = inside(filled, "resources", PodDefaults::resources);
    filled = each(filled, "containers", PodDefaults::container);
    filled = each(filled, "initContainers", PodDefaults::container);
    return each(filled, "volumes", PodDefaults::volume);
  }

  /** The service account has a deprecated alias, which always has the same value. */
  private static Tree account(Tree spec) {
    String name = spec.text("serviceAccountName");
    String same = name.isEmpty() ? spec.text("serviceAccount") : name;
    return same.isEmpty()
        ? spec
        : spec.with("serviceAccountName", same).with("serviceAccount", same);
  }

  /** The defaults of a pod itself. */
  static Tree pod(Tree spec) {
    Tree filled = orElse(template(spec), "enableServiceLinks", true);
    boolean onHost = filled.flag("hostNetwork");
    for (String containers : List.of("containers", "initContainers")) {
      filled = each(filled, containers, PodDefaults::requestsFromLimits);
      filled = onHost ? each(filled, containers, PodDefaults::hostPorts) : filled;
    }
    return filled;
  }

  private static Tree container(Tree container) {
    Tree filled = orIfEmpty(container, "terminationMessagePath", "/dev/termination-log");
    filled = orIfEmpty(filled, "terminationMessagePolicy", "File");
    filled = orIfEmpty(filled, "imagePullPolicy", pullPolicy(filled.text("image")));
    filled = orElse(filled, "resources", Tree.EMPTY);
    filled = inside(filled, "resources", PodDefaults::resources);
    filled = each(filled, "ports", port -> orIfEmpty(port, "protocol", "TCP"));
    filled = each(filled, "env", env -> inside(env, "valueFrom", PodDefaults::fieldReference));
    for (String probe : PROBES) {
      filled = inside(filled, probe, PodDefaults::probe);
    }
    return inside(
        filled,
        "lifecycle",
        lifecycle ->
            inside(
                inside(lifecycle, "postStart", PodDefaults::handler),
                "preStop",
                PodDefaults::handler));
  }

  private static Tree resources(Tree resources) {
    return inside(
        inside(resources, "requests", QuantityValidation::canonical),
        "limits",
        QuantityValidation::canonical);
  }

  /**
   * The default pull policy: an image without a tag and a digest is the latest, which may change at
   * any time.
   */
  private static String pullPolicy(String image) {
    int slash = image.lastIndexOf('/');
    int digest = image.indexOf('@');
    String name = digest < 0 ? image : image.substring(0, digest);
    int colon = name.lastIndexOf(':');
    String tag = colon > slash ? name.substring(colon + 1) : digest < 0 ? "latest" : "";
    return tag.equals("latest") ? "Always" : "IfNotPresent";
  }

  private static Tree probe(Tree probe) {
    Tree filled = orIfEmpty(probe, "timeoutSeconds", 1);
    filled = orIfEmpty(filled, "periodSeconds", 10);
    filled = orIfEmpty(filled, "successThreshold", 1);
    filled = orIfEmpty(filled, "failureThreshold", 3);
    filled = inside(filled, "grpc", call -> orElse(call, "service", ""));
    return handler(filled);
  }

  private static Tree handler(Tree handler) {
    return inside(
        handler, "httpGet", get -> orIfEmpty(orIfEmpty(get, "path", "/"), "scheme", "HTTP"));
  }

  private static Tree fieldReference(Tree holder) {
    Tree filled = inside(holder, "fieldRef", reference -> orIfEmpty(reference, "apiVersion", "v1"));
    filled = inside(filled, "fileKeyRef", file -> orElse(file, "optional", false));
    return inside(filled, "resourceFieldRef", PodDefaults::resourceReference);
  }

  private static Tree resourceReference(Tree reference) {
    Tree divisor = Tree.of("divisor", orElse(reference, "divisor", "0").at("divisor"));
    return reference.with("divisor", QuantityValidation.canonical(divisor).at("divisor"));
  }

  private static Tree volume(Tree volume) {
    Tree filled = volume.without("name").isEmpty() ? volume.with("emptyDir", Tree.EMPTY) : volume;
    for (String source : FILE_SOURCES) {
      filled = inside(filled, source, files -> orElse(files, "defaultMode", DEFAULT_MODE));
    }
    filled = inside(filled, "hostPath", path -> orElse(path, "type", ""));
    filled = inside(filled, "image", PodDefaults::imageVolume);
    filled = inside(filled, "downwardAPI", PodDefaults::fieldReferences);
    return inside(
        filled, "projected", files -> each(files, "sources", PodDefaults::projectedSource));
  }

  private static Tree imageVolume(Tree image) {
    String reference = image.text("reference");
    String policy = reference.isEmpty() ? "IfNotPresent" : pullPolicy(reference);
    return orIfEmpty(image, "pullPolicy", policy);
  }

  private static Tree projectedSource(Tree source) {
    Tree filled =
        inside(source, "serviceAccountToken", token -> orElse(token, "expirationSeconds", 3600));
    return inside(filled, "downwardAPI", PodDefaults::fieldReferences);
  }

  private static Tree fieldReferences(Tree downward) {
    return each(downward, "items", PodDefaults::fieldReference);
  }

  private static Tree requestsFromLimits(Tree container) {
    Tree limits = container.tree("resources", "limits");
    Tree requests = container.tree("resources", "requests");
    Tree filled = requests;
    for (String resource : limits.names()) {
      filled = orElse(filled, resource, limits.at(resource));
    }
    return filled.equals(requests)
        ? container
        : container.with(List.of("resources", "requests"), filled);
  }

  private static Tree hostPorts(Tree container) {
    return each(
        container,
        "ports",
        port -> port.has("hostPort") ? port : port.with("hostPort", port.at("containerPort")));
  }
}
