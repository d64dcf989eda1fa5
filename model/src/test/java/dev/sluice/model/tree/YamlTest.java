package dev.sluice.model.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class YamlTest {

  record Case(String yaml, String want) {}

  static final List<Case> SCALARS =
      List.of(
          new Case("yes", "true"),
          new Case("On", "true"),
          new Case("off", "false"),
          new Case("~", "null"),
          new Case("null", "null"),
          new Case("0x10", "16"),
          new Case("010", "8"),
          new Case("0b11", "3"),
          new Case("1_000", "1000"),
          new Case("-12", "-12"),
          new Case("18446744073709551616", "18446744073709551616"),
          new Case("1.5", "1.5"),
          new Case("1e3", "1000"),
          new Case("2.0", "2"),
          new Case("12:30:45", "\"12:30:45\""),
          new Case("2024-01-02", "\"2024-01-02\""),
          new Case("\"yes\"", "\"yes\""),
          new Case("'010'", "\"010\""),
          new Case("100m", "\"100m\""),
          new Case(".inf", "\".inf\""));

  @ParameterizedTest
  @FieldSource("SCALARS")
  void readsScalars(Case c) {
    Tree tree = Yaml.parseAll("v: " + c.yaml()).getFirst().asTree();

    assertThat(Json.write(tree.at("v"))).isEqualTo(c.want());
  }

  @Test
  void readsManyDocumentsAndSkipsEmptyOnes() {
    assertThat(Yaml.parseAll("---\na: 1\n---\n# nothing\n---\nb: 2\n"))
        .containsExactly(Tree.of("a", 1), Tree.of("b", 2));
  }

  @Test
  void resolvesAnchors() {
    Tree tree = Yaml.parseAll("a: &x {k: v}\nb: *x\n").getFirst().asTree();

    assertThat(tree.at("b")).isEqualTo(tree.at("a"));
  }

  @Test
  void refusesAnAnchorThatContainsItself() {
    assertThatThrownBy(() -> Yaml.parseAll("a: &x [*x]"))
        .isInstanceOf(MalformedText.class)
        .hasMessageContaining("contains itself");
  }

  @Test
  void refusesABombOfAnchors() {
    var bomb = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i < 60; i++) {
      bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }

    assertThatThrownBy(() -> Yaml.parseAll(bomb.toString())).isInstanceOf(MalformedText.class);
  }

  @Test
  void refusesFewAliasesThatUnfoldToMuch() {
    var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 9; i++) {
      String before = "*a" + (i - 1);
      String ten = String.join(", ", Collections.nCopies(10, before));
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ten));
    }

    assertThatThrownBy(() -> Yaml.parseAll(bomb.toString()))
        .isInstanceOf(MalformedText.class)
        .hasMessageContaining("unfold to too much");
  }

  @Test
  void namesTheLineOfANameThatStandsTwice() {
    assertThatThrownBy(() -> Yaml.parseAll("a: 1\nb: 2\na: 3\n"))
        .isInstanceOf(MalformedText.class)
        .hasMessage("line 3, column 1: the name \"a\" stands twice");
  }

  @Test
  void writesWhatItReads() {
    Tree tree = Tree.of("text", "yes", "n", 1, "list", List.of("a", Tree.of("b", true)));

    assertThat(Yaml.parseAll(Yaml.write(tree))).containsExactly(tree);
  }
}
