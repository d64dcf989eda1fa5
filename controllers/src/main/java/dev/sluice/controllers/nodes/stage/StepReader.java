package dev.sluice.controllers.nodes.stage;

import dev.sluice.controllers.nodes.stage.StageStep.ApplyType;
import dev.sluice.controllers.nodes.stage.StageStep.PatchType;
import dev.sluice.controllers.nodes.template.Template;
import dev.sluice.controllers.nodes.template.TemplateException;
import dev.sluice.controllers.nodes.template.TemplateFunction;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The parser of the steps of a stage, or of the field {@code next} of older stages. */
final class StepReader {
  private static final String STATUS = "status";
  private static final Pattern SENDABLE = Pattern.compile("[ -~]*");

  private final SortedMap<String, TemplateFunction> functions;
  private final PatchType defaultType;
  private final ValidationErrors problems;

  /**
   * @param defaultType the type of patches that have none
   */
  StepReader(
      SortedMap<String, TemplateFunction> functions,
      PatchType defaultType,
      ValidationErrors problems) {
    this.functions = functions;
    this.defaultType = defaultType;
    this.problems = problems;
  }

  List<StageStep> read(Tree spec) {
    var steps = new ArrayList<StageStep>();
    List<Tree> listed = spec.trees("steps");
    for (int i = 0; i < listed.size(); i++) {
      step(listed.get(i), "spec.steps[%d]".formatted(i), steps);
    }
    if (spec.has("next") && !listed.isEmpty()) {
      problems.forbidden("spec.next", "a stage has either steps or next, not both");
    } else if (spec.has("next")) {
      next(spec.tree("next"), steps);
    }
    return steps;
  }

  private void step(Tree step, String field, List<StageStep> steps) {
    if (step.names().size() != 1) {
      problems.invalid(
          field, step, "must have exactly one of patch, event, finalizers, delete and apply");
      return;
    }
    String what = step.names().getFirst();
    String at = field + "." + what;
    switch (what) {
      case "patch" -> patch(step.tree("patch"), at).ifPresent(steps::add);
      case "event" -> event(step.tree("event"), at).ifPresent(steps::add);
      case "finalizers" -> steps.add(finalizers(step.tree("finalizers")));
      case "delete" -> delete(step, steps);
      case "apply" -> apply(step.tree("apply"), at).ifPresent(steps::add);
      default -> problems.forbidden(at, "there is no such step");
    }
  }

  /** The older form, in the order in which KWOK applies its parts. */
  private void next(Tree next, List<StageStep> steps) {
    if (next.has("event")) {
      event(next.tree("event"), "spec.next.event").ifPresent(steps::add);
    }
    if (next.has("finalizers")) {
      steps.add(finalizers(next.tree("finalizers")));
    }
    String user = user(next, "statusPatchAs", "spec.next");
    List<Tree> patches = next.trees("patches");
    for (int i = 0; i < patches.size(); i++) {
      patch(patches.get(i), "spec.next.patches[%d]".formatted(i)).ifPresent(steps::add);
    }
    String template = next.text("statusTemplate");
    if (patches.isEmpty() && !template.isEmpty()) {
      String subresource = next.has("statusSubresource") ? next.text("statusSubresource") : STATUS;
      template(template, "spec.next.statusTemplate")
          .map(read -> new StageStep.Patch(subresource, STATUS, read, defaultType, user))
          .ifPresent(steps::add);
    }
    delete(next, steps);
  }

  private static void delete(Tree from, List<StageStep> steps) {
    if (from.flag("delete")) {
      steps.add(new StageStep.Delete());
    }
  }

  private Optional<StageStep> patch(Tree patch, String field) {
    String user = user(patch, "impersonation", field);
    Optional<PatchType> type =
        chosen(patch.text("type"), defaultType, PatchType.values(), PatchType::word, field);
    Optional<Template> template = template(patch.text("template"), field + ".template");
    return type.isEmpty() || template.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new StageStep.Patch(
                patch.text("subresource"), patch.text("root"), template.get(), type.get(), user));
  }

  private Optional<StageStep> apply(Tree apply, String field) {
    String user = user(apply, "impersonation", field);
    Optional<ApplyType> type =
        chosen(apply.text("type"), ApplyType.APPLY, ApplyType.values(), ApplyType::word, field);
    Optional<Template> template = template(apply.text("template"), field + ".template");
    return type.isEmpty() || template.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new StageStep.Apply(apply.text("subresource"), template.get(), type.get(), user));
  }

  /** The user to impersonate, empty for none. */
  private String user(Tree step, String name, String field) {
    String user = step.text(name, "username");
    String at = "%s.%s.username".formatted(field, name);
    if (step.has(name) && user.isBlank()) {
      problems.required(at, "leave out %s to write without impersonation".formatted(name));
    } else if (!SENDABLE.matcher(user).matches()) {
      problems.invalid(
          at, user, "must consist of printable ASCII characters, which a header takes");
    }
    return user;
  }

  private <T> Optional<T> chosen(
      String word, T otherwise, T[] choices, Function<T, String> name, String field) {
    if (word.isEmpty()) {
      return Optional.of(otherwise);
    }
    List<T> all = List.of(choices);
    Optional<T> found = all.stream().filter(each -> name.apply(each).equals(word)).findFirst();
    if (found.isEmpty()) {
      problems.oneOf(field + ".type", word, all.stream().map(name).toList());
    }
    return found;
  }

  private Optional<Template> template(String text, String field) {
    if (text.isBlank()) {
      problems.required(field, "");
      return Optional.empty();
    }
    return parsed(text, field);
  }

  private Optional<Template> parsed(String text, String field) {
    try {
      return Optional.of(Template.parse(text, functions));
    } catch (TemplateException malformed) {
      problems.invalid(field, text, malformed.why());
      return Optional.empty();
    }
  }

  private Optional<StageStep> event(Tree event, String field) {
    return parsed(event.text("message"), field + ".message")
        .map(message ->
            new StageStep.Announce(
                event.text("type").equals("Warning"), event.text("reason"), message));
  }

  private static StageStep finalizers(Tree finalizers) {
    return new StageStep.Finalizers(
        values(finalizers, "add"), values(finalizers, "remove"), finalizers.flag("empty"));
  }

  private static List<String> values(Tree finalizers, String name) {
    return finalizers.trees(name).stream().map(each -> each.text("value")).toList();
  }
}
