package dev.sluice.controllers.nodes.stage;

import dev.sluice.controllers.nodes.template.TemplateException;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.patch.JsonPatch;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;

/** The application of a patch that a template renders to an object. */
public final class ObjectPatch {
  private ObjectPatch() {}

  /**
   * The object after the patch; the same instance if nothing changes.
   *
   * @throws TemplateException if the template fails, or its output is not such a patch
   */
  public static Tree apply(Tree object, StageStep.Patch patch) {
    Value rendered = read(patch.template().render(object));
    if (rendered == Value.Null.NULL) {
      return object;
    }
    if (patch.type() == StageStep.PatchType.JSON) {
      return applyJson(object, rendered, patch.root());
    }
    if (!(rendered instanceof Tree changes)) {
      throw new TemplateException("the template yields " + rendered + ", which is no map");
    }
    Tree wrapped = patch.root().isEmpty() ? changes : Tree.of(patch.root(), changes);
    return merge(object, wrapped, patch.type() == StageStep.PatchType.STRATEGIC);
  }

  /** The object after a merge; the same instance if nothing changes. */
  public static Tree merge(Tree object, Tree changes, boolean strategic) {
    Tree changed =
        strategic ? StageMerge.apply(object, changes) : MergePatch.apply(object, changes);
    return changed.equals(object) ? object : changed;
  }

  /**
   * The whole object that a template renders.
   *
   * @throws TemplateException if the template fails, or its output is not an object
   */
  public static ApiObject whole(Tree object, StageStep.Apply apply) {
    if (read(apply.template().render(object)) instanceof Tree whole) {
      ApiObject described = new ApiObject(whole);
      if (!described.apiVersion().isEmpty()
          && !described.kind().isEmpty()
          && !described.name().isEmpty()) {
        return described;
      }
    }
    throw new TemplateException(
        "the template yields no object with an apiVersion, a kind and a metadata.name");
  }

  private static Tree applyJson(Tree object, Value operations, String root) {
    try {
      return root.isEmpty()
          ? JsonPatch.apply(object, operations)
          : object.with(root, JsonPatch.apply(object.tree(root), operations));
    } catch (ApiException inapplicable) {
      throw new TemplateException(inapplicable.failure().message());
    }
  }

  /** JSON is YAML too, but is parsed in a tenth of the time. */
  private static Value read(String text) {
    try {
      String trimmed = text.strip();
      return trimmed.startsWith("{") ? readBraces(trimmed) : readYaml(trimmed);
    } catch (MalformedText malformed) {
      throw new TemplateException("the template yields no YAML: " + malformed.getMessage());
    }
  }

  private static Value readBraces(String text) {
    try {
      return Json.parse(text);
    } catch (MalformedText notJson) {
      return readYaml(text);
    }
  }

  private static Value readYaml(String text) {
    return Yaml.parseAll(text).stream().findFirst().orElse(Value.Null.NULL);
  }
}
