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
 * The translator between a client that uses one version of a kind and the rules, which apply to the
 * storage version. The client's object is decoded, defaulted and validated in its own version, gets
 * its managed fields, and is converted; the response is converted back.
 *
 * @param spoken the version of the client
 * @param stored the storage version
 * @param part the part that the client writes, in its version
 */
record Translator(RuledKind spoken, RuledKind stored, ManagedPart part, Instant now) {

  /** The body of a request, converted to the storage version. */
  Tree written(Tree body, Optional<ApiObject> before, WriteOptions options) {
    return translated(body, before, options, ObjectDecoder.Origin.WRITTEN);
  }

  /** A patch of the storage version that has the effect of a patch of the client's version. */
  UnaryOperator<Tree> patch(UnaryOperator<Tree> patch, WriteOptions options) {
    return tree -> {
      ApiObject before = spoken.in(new ApiObject(tree));
      Tree patched = patch.apply(before.tree());
      return translated(patched, Optional.of(before), options, ObjectDecoder.Origin.PATCHED);
    };
  }

  /** The response, in the version of the client. */
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

  /** Restores the fields that this write cannot change, so that they cause no validation errors. */
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
