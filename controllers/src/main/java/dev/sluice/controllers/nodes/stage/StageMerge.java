package dev.sluice.controllers.nodes.stage;

import dev.sluice.controllers.nodes.template.TemplateException;
import dev.sluice.model.patch.MergeRules;
import dev.sluice.model.patch.MergeStyle;
import dev.sluice.model.patch.StrategicMergePatch;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Strategic merge patches of pods and nodes by stages: the lists named here merge by a key wherever
 * they stand, other lists are replaced. Of the directives there are {@code $patch} and {@code
 * $setElementOrder/field}; others are refused.
 *
 * @param key the key of the elements if this is a list that merges; empty for plain strings
 */
record StageMerge(@Nullable String key) implements MergeRules {
  private static final String DIRECTIVE = "$patch";
  private static final String ORDER = "$setElementOrder/";
  private static final StageMerge REPLACED = new StageMerge(null);
  private static final StrategicMergePatch PATCHES = new StrategicMergePatch(MergeStyle.IN_PLACE);

  /** The lists that merge, each with the key of its elements; empty for plain strings. */
  private static final SortedMap<String, String> KEYS =
      Tree.of(
              "addresses", "type",
              "conditions", "type",
              "containers", "name",
              "env", "name",
              "ephemeralContainers", "name",
              "finalizers", "",
              "hostAliases", "ip",
              "hostIPs", "ip",
              "imagePullSecrets", "name",
              "initContainers", "name",
              "ownerReferences", "uid",
              "podCIDRs", "",
              "podIPs", "ip",
              "ports", "containerPort",
              "topologySpreadConstraints", "topologyKey",
              "volumeMounts", "mountPath",
              "volumes", "name")
          .texts();

  /**
   * The object after a patch.
   *
   * @throws TemplateException if the patch has a directive that stages do not know
   */
  static Tree apply(Tree target, Tree patch) {
    requireKnownDirectives(patch);
    return PATCHES.apply(target, patch, REPLACED);
  }

  private static void requireKnownDirectives(Tree patch) {
    for (String name : patch.names()) {
      if (!name.startsWith("$")) {
        requireKnownDirectives(patch.at(name), KEYS.containsKey(name));
      }
    }
    for (String name : patch.names()) {
      boolean known =
          !name.startsWith("$")
              || name.equals(DIRECTIVE)
              || (name.startsWith(ORDER) && KEYS.containsKey(name.substring(ORDER.length())));
      if (!known) {
        throw new TemplateException("stages do not know the directive " + name);
      }
    }
  }

  /** Of an element that is deleted only the key counts. */
  private static void requireKnownDirectives(Value patch, boolean merges) {
    switch (patch) {
      case Tree tree -> requireKnownDirectives(tree);
      case Items(List<Value> items) -> {
        for (Value item : items) {
          if (!merges || !item.asTree().text(DIRECTIVE).equals("delete")) {
            requireKnownDirectives(item, false);
          }
        }
      }
      case Value _ -> {}
    }
  }

  @Override
  public MergeRules field(String name) {
    String merged = KEYS.get(name);
    return merged == null ? REPLACED : new StageMerge(merged);
  }

  @Override
  public MergeRules elements() {
    return REPLACED;
  }

  @Override
  public boolean replacesObject() {
    return false;
  }

  @Override
  public boolean mergesList() {
    return key != null;
  }

  @Override
  public String mergeKey() {
    return key == null ? "" : key;
  }
}
