package dev.sluice.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.patch.JsonPatch;
import dev.sluice.model.patch.Pointer;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import io.fabric8.zjsonpatch.CompatibilityFlags;
import io.fabric8.zjsonpatch.JsonPatchException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class JsonPatchTest {

  record Case(String name, String target, String patch, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "add inserts before",
              "{a: [1, 3]}",
              "[{op: add, path: /a/1, value: 2}]",
              "{a: [1, 2, 3]}"),
          new Case(
              "add at the end", "{a: [1]}", "[{op: add, path: /a/-, value: 2}]", "{a: [1, 2]}"),
          new Case(
              "add overwrites a member", "{a: 1}", "[{op: add, path: /a, value: [2]}]", "{a: [2]}"),
          new Case(
              "escapes",
              "{a/b: 1, c~d: 2}",
              "[{op: remove, path: /a~1b}, {op: remove, path: /c~0d}]",
              "{}"),
          new Case(
              "replace adds a missing member",
              "{a: {}}",
              "[{op: replace, path: /a/b, value: 1}]",
              "{a: {b: 1}}"),
          new Case("move", "{a: {b: 1}}", "[{op: move, from: /a/b, path: /c}]", "{a: {}, c: 1}"),
          new Case("move to itself", "{a: 1}", "[{op: move, from: /a, path: /a}]", "{a: 1}"),
          new Case("copy", "{a: [1]}", "[{op: copy, from: /a, path: /b}]", "{a: [1], b: [1]}"),
          new Case(
              "copied into itself",
              "{a: {}}",
              "[{op: copy, from: /a, path: /a/b}]",
              "{a: {b: {}}}"),
          new Case(
              "test compares worth",
              "{a: [1.0]}",
              "[{op: test, path: /a, value: [1]}]",
              "{a: [1.0]}"),
          new Case("test of absence", "{}", "[{op: test, path: /a, value: null}]", "{}"),
          new Case("the root", "{a: 1}", "[{op: replace, path: '', value: {b: 2}}]", "{b: 2}"));

  @ParameterizedTest
  @FieldSource("CASES")
  void applies(Case c) {
    assertThat(JsonPatch.apply(yaml(c.target()).asTree(), yaml(c.patch())))
        .isEqualTo(yaml(c.want()));
  }

  record Refused(String patch, String message) {}

  static final List<Refused> REFUSED =
      List.of(
          new Refused("[{op: test, path: /a, value: 2}]", "test of \"/a\" found 1, not 2"),
          new Refused("[{op: remove, path: /x}]", "nothing stands at \"/x\""),
          new Refused("[{op: add, path: /x/y, value: 1}]", "nothing stands above \"/x/y\""),
          new Refused("[{op: add, path: /a/y, value: 1}]", "leads into 1, which has no members"),
          new Refused("[{op: add, path: /l/3, value: 1}]", "3 is not an index in it"),
          new Refused("[{op: add, path: /l/01, value: 1}]", "01 is not an index in it"),
          new Refused("[{op: replace, path: /l/2, value: 1}]", "2 is not an index in it"),
          new Refused("[{op: jump, path: /a}]", "needs an op"),
          new Refused("[{op: add, value: 1}]", "needs a JSON pointer as its path"),
          new Refused("[{op: add, path: /a}]", "needs a value"),
          new Refused("[{op: remove, path: a}]", "is not a JSON pointer"),
          new Refused("[{op: move, from: /o, path: /o/p}]", "cannot move into itself"),
          new Refused("[{op: remove, path: ''}]", "the whole object cannot be removed"),
          new Refused(
              "[{op: replace, path: '', value: 1}]", "would leave 1 in place of the object"));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void refuses(Refused c) {
    Tree target = yaml("{a: 1, l: [1, 2], o: {}}").asTree();

    ApiException refused = refusal(target, yaml(c.patch()));

    assertThat(refused.failure().reason()).isEqualTo(Reason.INVALID);
    assertThat(refused).hasMessageContaining(c.message());
  }

  @Test
  void aPatchMustBeAnArrayOfNotTooManyOperations() {
    Value test = yaml("{op: test, path: '', value: {}}");

    assertThat(refusal(Tree.EMPTY, test).is(Reason.BAD_REQUEST)).isTrue();
    assertThat(JsonPatch.apply(Tree.EMPTY, new Items(Collections.nCopies(10_000, test))))
        .isEqualTo(Tree.EMPTY);
    assertThat(
            refusal(Tree.EMPTY, new Items(Collections.nCopies(10_001, test)))
                .is(Reason.REQUEST_ENTITY_TOO_LARGE))
        .isTrue();
  }

  @Test
  void copiesCannotGrowAnObjectWithoutBound() {
    Tree target = yaml("{a: {text: 0123456789}}").asTree();
    Value wider = yaml("[{op: copy, from: /a, path: /b}, {op: move, from: /b, path: /a/x}]");
    Value doubling =
        yaml(
            "[{op: copy, from: /a, path: /b}, {op: add, path: /c, value: {}}, {op: copy, from: /a,"
                + " path: /c/d}, {op: move, from: /b, path: /c/e}, {op: move, from: /c, path:"
                + " /a}]");

    for (Value step : List.of(wider, doubling)) {
      var operations = new ArrayList<Value>();
      while (operations.size() < 5_000) {
        operations.addAll(((Items) step).values());
      }
      assertThat(refusal(target, new Items(operations)).is(Reason.REQUEST_ENTITY_TOO_LARGE))
          .isTrue();
    }
  }

  @Test
  void aPatchThatChangesNothingReturnsTheTreeItself() {
    Tree target = yaml("{a: [{b: 1}]}").asTree();

    assertThat(JsonPatch.apply(target, yaml("[{op: replace, path: /a/0/b, value: 1}]")))
        .isSameAs(target);
  }

  @Test
  void agreesWithAnotherImplementation() throws JsonProcessingException {
    long seed = RandomTrees.seed();
    var random = new Random(seed);
    var trees = new RandomTrees(random);
    int applied = 0;
    for (int round = 0; round < 500; round++) {
      Tree document = trees.tree(4);
      for (int step = 0; step < 10; step++) {
        Tree operation = operation(trees, document, random);
        Items patch = Items.of(List.of(operation));

        Optional<Value> ours = ours(document, patch);

        assertThat(ours)
            .as("seed %d: %s on %s", seed, operation, document)
            .isEqualTo(theirs(document, patch));
        applied += ours.isPresent() ? 1 : 0;
        document = ours.map(Value::asTree).orElse(document);
      }
    }
    assertThat(applied).as("operations that applied, seed %d", seed).isGreaterThan(1_000);
  }

  private static Tree operation(RandomTrees trees, Tree document, RandomGenerator random) {
    String op = List.of("add", "remove", "replace", "move", "copy", "test").get(random.nextInt(6));
    Pointer from = place(document, trees, random);
    Pointer path = place(document, trees, random);
    while (op.equals("move") && (from.contains(path) || from.equals(path))) {
      path = new Pointer(List.of(trees.name()));
      from = new Pointer(List.of(trees.name()));
    }
    Value value = random.nextBoolean() ? trees.value(2) : found(document, path);
    return Tree.of("op", op, "from", from.toString(), "path", path.toString(), "value", value);
  }

  private static Value found(Tree document, Pointer path) {
    try {
      return path.read(document);
    } catch (ApiException nowhere) {
      return Value.of("nowhere");
    }
  }

  /** A place that mostly exists. */
  private static Pointer place(Tree document, RandomTrees trees, RandomGenerator random) {
    var tokens = new ArrayList<String>();
    Value node = document;
    do {
      String token =
          switch (node) {
            case Tree tree when !tree.isEmpty() && random.nextInt(5) > 0 ->
                tree.names().get(random.nextInt(tree.size()));
            case Items(List<Value> items) -> String.valueOf(random.nextInt(items.size() + 2));
            case Value other -> trees.name();
          };
      tokens.add(token);
      int index = token.matches("[0-9]") ? Integer.parseInt(token) : 99;
      node =
          switch (node) {
            case Tree tree -> tree.at(token);
            case Items(List<Value> items) when index < items.size() -> items.get(index);
            case Value other -> Value.Null.NULL;
          };
    } while (node instanceof Value.Container && random.nextInt(3) > 0);
    return new Pointer(tokens);
  }

  private static Optional<Value> ours(Tree document, Value patch) {
    try {
      return Optional.of(JsonPatch.apply(document, patch));
    } catch (ApiException refused) {
      return Optional.empty();
    }
  }

  private static Optional<Value> theirs(Tree document, Value patch) throws JsonProcessingException {
    var mapper = new ObjectMapper();
    JsonNode target = mapper.readTree(document.toString());
    JsonNode operations = mapper.readTree(patch.toString());
    try {
      JsonNode result =
          io.fabric8.zjsonpatch.JsonPatch.apply(
              operations,
              target,
              EnumSet.of(
                  CompatibilityFlags.ALLOW_MISSING_TARGET_OBJECT_ON_REPLACE,
                  CompatibilityFlags.FORBID_REMOVE_MISSING_OBJECT));
      return Optional.of(Json.parse(mapper.writeValueAsString(result)));
    } catch (JsonPatchException | IllegalStateException refused) {
      return Optional.empty();
    }
  }

  private static ApiException refusal(Tree target, Value patch) {
    return catchThrowableOfType(ApiException.class, () -> JsonPatch.apply(target, patch));
  }

  private static Value yaml(String yaml) {
    return Yaml.parseAll(yaml).getFirst();
  }
}
