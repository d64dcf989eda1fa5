package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.apply.ManagedPart;
import dev.sluice.apiserver.registry.kind.RuledKind;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Stands between a client that speaks one version of a kind and the rules, which look at the
 * version that is stored. What the client wrote is read, defaulted and checked as its own version
 * wants it, gets its owners, and is then converted; what the client gets is converted back.
 *
 * @param spoken the version of the client
 * @param stored the version in which objects are stored
 * @param part what the client writes, in its version
 */
record Translator(RuledKind spoken, RuledKind stored, ManagedPart part, Instant now) {

  /** What a client wrote, in the version that is stored. */
  Tree written(Tree body, Optional<ApiObject> before, WriteOptions options) {
    return translated(body, before, options, ObjectDecoder.Origin.WRITTEN);
  }

  /** A patch of the stored version that does what a patch of the spoken version says. */
  UnaryOperator<Tree> patch(UnaryOperator<Tree> patch, WriteOptions options) {
    return tree -> {
      ApiObject before = spoken.in(new ApiObject(tree));
      Tree patched = patch.apply(before.tree());
      return translated(patched, Optional.of(before), options, ObjectDecoder.Origin.PATCHED);
    };
  }

  /** The object as the client wants to see it. */
  ApiObject answer(ApiObject object) {
    return spoken.in(object);
  }

  private Tree translated(
      Tree body, Optional<ApiObject> before, WriteOptions options, ObjectDecoder.Origin origin) {
    ApiObject read = spoken.withDefaults(new ObjectDecoder(spoken, options, origin).read(body));
    ApiObject asked = withoutUntouchable(read, before);
    var problems = new ValidationErrors();
    problems.addAll(
        before
            .map(old -> spoken.schema().problems(old.tree(), asked.tree()))
            .orElseGet(() -> spoken.schema().problems(asked.tree())));
    problems.refuse(spoken.kind(), asked.name());
    ApiObject owned =
        before
            .map(old -> options.manager().updated(part, old, asked, now))
            .orElseGet(() -> options.manager().created(part, asked, now));
    return stored.in(owned).tree();
  }

  /** What this write cannot change is as it was, so that nobody is told that it is wrong. */
  private ApiObject withoutUntouchable(ApiObject asked, Optional<ApiObject> before) {
    if (!spoken.splitsStatus()) {
      return asked;
    }
    Tree old = before.map(ApiObject::tree).orElse(Tree.EMPTY);
    boolean status = part.subresource().equals("status");
    Tree source = status ? asked.tree() : old;
    Tree rest = status ? old.with("metadata", asked.metadata()) : asked.tree();
    return new ApiObject(
        source.has("status") ? rest.with("status", source.at("status")) : rest.without("status"));
  }
}
