package dev.sluice.apiserver.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSetTest {
  private static final List<String> STEPS =
      List.of("f:a", "f:b", "k:{\"name\":\"x\",\"port\":80}", "v:\"s\"", "v:3", "i:2");

  static FieldSet set(String json) {
    return FieldSet.parse(Json.parse(json.replace('\'', '"')).asTree());
  }

  record Case(String name, String left, String right, String union, String both, String only) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("nothing", "{}", "{}", "{}", "{}", "{}"),
          new Case("the same", "{'f:a':{}}", "{'f:a':{}}", "{'f:a':{}}", "{'f:a':{}}", "{}"),
          new Case(
              "a map and its entry",
              "{'f:a':{'.':{},'f:b':{}}}",
              "{'f:a':{}}",
              "{'f:a':{'.':{},'f:b':{}}}",
              "{'f:a':{}}",
              "{'f:a':{'f:b':{}}}"),
          new Case(
              "an entry is not the map",
              "{'f:a':{'f:b':{}}}",
              "{'f:a':{}}",
              "{'f:a':{'.':{},'f:b':{}}}",
              "{}",
              "{'f:a':{'f:b':{}}}"),
          new Case(
              "elements by their keys",
              "{'k:{\\'n\\':1}':{'.':{},'f:n':{}}}",
              "{'k:{\\'n\\':2}':{},'k:{\\'n\\':1}':{'f:n':{}}}",
              "{'k:{\\'n\\':1}':{'.':{},'f:n':{}},'k:{\\'n\\':2}':{}}",
              "{'k:{\\'n\\':1}':{'f:n':{}}}",
              "{'k:{\\'n\\':1}':{}}"));

  @ParameterizedTest
  @FieldSource("CASES")
  void combines(Case c) {
    FieldSet left = set(c.left());
    FieldSet right = set(c.right());

    assertThat(left.union(right)).isEqualTo(set(c.union()));
    assertThat(left.intersection(right)).isEqualTo(set(c.both()));
    assertThat(left.minus(right)).isEqualTo(set(c.only()));
  }

  @Test
  void aFieldTakesWhatIsBelowItAlong() {
    FieldSet all = set("{'f:a':{'f:b':{},'f:c':{'f:d':{}}},'f:e':{}}");

    assertThat(all.minusAllBelow(set("{'f:a':{'f:c':{}}}")))
        .isEqualTo(set("{'f:a':{'f:b':{}},'f:e':{}}"));
  }

  @Test
  void fieldsAreShownAsPeopleReadThem() {
    FieldSet fields =
        set("{'f:a':{'.':{},'k:{\\'n\\':\\'x\\',\\'p\\':80}':{'f:b':{}},'v:\\'s\\'':{},'i:2':{}}}");

    assertThat(fields.paths()).containsExactly(".a", ".a[2]", ".a[n=\"x\",p=80].b", ".a[=\"s\"]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{'a':{}}", "{'f:a':1}", "{'k:[]':{}}", "{'k:x':{}}", "{'v:':{}}", "{'i:x':{}}"})
  void whatCannotBeReadIsRefused(String json) {
    assertThatThrownBy(() -> set(json)).isInstanceOf(MalformedText.class);
  }

  @Test
  void stepsOfAKindThatIsNotKnownAreLeftOut() {
    assertThat(set("{'x:new':{},'f:a':{}}")).isEqualTo(set("{'f:a':{}}"));
  }

  @Test
  void randomSetsKeepTheLawsOfSets() {
    long seed = Long.getLong("seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 500; i++) {
      FieldSet a = FieldSet.parse(random(random, 4));
      FieldSet b = FieldSet.parse(random(random, 4));
      FieldSet c = FieldSet.parse(random(random, 4));
      String sets = "-Dseed=%d: %s %s %s".formatted(seed, a, b, c);

      assertThat(FieldSet.parse(a.written())).as(sets).isEqualTo(a);
      assertThat(a.union(b)).as(sets).isEqualTo(b.union(a));
      assertThat(a.union(b).union(c)).as(sets).isEqualTo(a.union(b.union(c)));
      assertThat(a.intersection(b)).as(sets).isEqualTo(b.intersection(a));
      assertThat(a.intersection(b)).as(sets).isEqualTo(a.minus(a.minus(b)));
      assertThat(a.minus(b).union(a.intersection(b))).as(sets).isEqualTo(a);
      assertThat(a.minus(b).minus(c)).as(sets).isEqualTo(a.minus(b.union(c)));
      assertThat(a.minus(b).intersection(b).isEmpty()).as(sets).isTrue();
      assertThat(a.minusAllBelow(b).minus(a).isEmpty()).as(sets).isTrue();
      assertThat(a.minus(a)).as(sets).isEqualTo(FieldSet.EMPTY);
      List<String> paths = a.union(b).paths();
      assertThat(paths).as(sets).doesNotHaveDuplicates().containsAll(a.paths());
      assertThat(paths).as(sets).hasSize(a.paths().size() + b.minus(a).paths().size());
    }
  }

  private static Tree random(RandomGenerator random, int depth) {
    Tree set = Tree.EMPTY;
    for (int i = random.nextInt(depth); i > 0; i--) {
      Tree below = random(random, depth - 1);
      boolean itself = !below.isEmpty() && random.nextBoolean();
      set =
          set.with(
              STEPS.get(random.nextInt(STEPS.size())),
              itself ? below.with(".", Tree.EMPTY) : below);
    }
    return set;
  }
}
