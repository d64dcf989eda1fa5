package dev.sluice.controllers.queueing;

import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The role of a pod in its group: pods that ask for the same have the same one, and each role
 * becomes a pod set of that name.
 *
 * <p>Method: the first eight hexadecimal digits of the SHA-256 of a JSON text with sorted names,
 * made of what matters to where the pod may run. What the pod does not say stands there as null, so
 * that plain pods get the roles that Kueue gives them.
 */
public final class RoleHash {
  private static final int LENGTH = 8;
  private static final List<String> WHOLE_FIELDS =
      List.of(
          "nodeSelector",
          "affinity",
          "tolerations",
          "runtimeClassName",
          "priority",
          "topologySpreadConstraints",
          "overhead",
          "resourceClaims");

  private RoleHash() {}

  /** The role of a pod: the one it was given when it was created, else what its spec says. */
  public static String of(ApiObject pod) {
    String given = pod.annotation(KueueNames.ROLE_HASH);
    return given.isEmpty() ? ofSpec(pod.spec()) : given;
  }

  /** The role that a pod spec says. */
  public static String ofSpec(Tree spec) {
    return sha256(Tree.of("spec", shape(spec))).substring(0, LENGTH);
  }

  private static Tree shape(Tree spec) {
    Tree shape =
        Tree.of(
            "initContainers",
            containers(spec, "initContainers"),
            "containers",
            containers(spec, "containers"));
    for (String field : WHOLE_FIELDS) {
      shape = shape.with(field, spec.at(field));
    }
    return spec.has("resources")
        ? shape.with("resources", spec.at("resources", "requests"))
        : shape;
  }

  private static Value containers(Tree spec, String field) {
    List<Tree> containers = spec.trees(field);
    return containers.isEmpty()
        ? Value.Null.NULL
        : Items.of(containers.stream().map(RoleHash::container).toList());
  }

  private static Tree container(Tree container) {
    return Tree.of(
        "resources",
        Tree.of("requests", container.at("resources", "requests")),
        "ports",
        container.at("ports"));
  }

  private static String sha256(Tree shape) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Json.bytes(shape)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
