package dev.sluice.controllers.queueing;

import dev.sluice.controllers.HexDigest;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantities;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;

/**
 * The role hash of a pod in its group: pods with the same requests and placement have the same
 * hash, and each hash becomes a pod set of that name.
 *
 * <p>Method: the first eight hexadecimal digits of the SHA-256 of a JSON document, made of the
 * fields that decide where the pod may run. A field that the pod does not set is null there. The
 * document is that of Kueue to the byte ({@link GoJson}), so both give a pod the same hash.
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
          "resourceClaims");

  private RoleHash() {}

  /** The role hash of a pod: its annotation, or else computed from its spec. */
  public static String of(ApiObject pod) {
    String annotated = pod.annotation(KueueNames.ROLE_HASH);
    return annotated.isEmpty() ? ofSpec(pod.spec()) : annotated;
  }

  /** The role hash of a pod spec. */
  public static String ofSpec(Tree spec) {
    return HexDigest.sha256(GoJson.bytes(Tree.of("spec", hashedFields(spec)))).substring(0, LENGTH);
  }

  private static Tree hashedFields(Tree spec) {
    Tree hashedFields =
        Tree.of(
            "initContainers",
            containers(spec, "initContainers"),
            "containers",
            containers(spec, "containers"));
    for (String field : WHOLE_FIELDS) {
      hashedFields = hashedFields.with(field, spec.at(field));
    }
    hashedFields = hashedFields.with("overhead", canonical(spec.at("overhead")));
    return spec.has("resources")
        ? hashedFields.with("resources", canonical(spec.at("resources", "requests")))
        : hashedFields;
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
        Tree.of("requests", canonical(container.at("resources", "requests"))),
        "ports",
        container.at("ports"));
  }

  /** Quantities in canonical form: two spellings of one amount are one role. */
  private static Value canonical(Value amounts) {
    return amounts instanceof Tree tree ? Quantities.of(tree).tree() : amounts;
  }
}
