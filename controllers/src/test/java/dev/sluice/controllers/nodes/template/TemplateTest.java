package dev.sluice.controllers.nodes.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
  private static final Tree DATA =
      Yaml.parseAll(
              """
              metadata: {name: p, annotations: {"a.b/c": x, empty: ""}}
              huge: 1.0e+999999999
              spec: {containers: [{name: a, image: i}, {name: b}], replicas: 3, host: true, none: null}
              """)
          .getFirst()
          .asTree();

  record Case(String template, String want) {}

  static final List<Case> RENDERED =
      List.of(
          new Case("plain", "plain"),
          new Case("{{ .metadata.name }}", "p"),
          new Case("{{.missing.deeper}}", "<no value>"),
          new Case("{{ .spec.replicas }} {{ .spec.host }} {{ 1.50 }}", "3 true 1.5"),
          new Case("a {{- \"b\" -}} c", "abc"),
          new Case("a{{/* nothing }} here */}}b{{- /* nor here */ -}} c", "abc"),
          new Case("{{ \"}}\" }}{{ `{{` }}{{ \"\\u0041\\n\" }}", "}}{{A\n"),
          new Case("{{ if .spec.none }}x{{ else if .spec.host }}y{{ else }}z{{ end }}", "y"),
          new Case("{{ with .metadata.annotations }}{{ index . \"a.b/c\" }}{{ end }}", "x"),
          new Case("{{ with .none }}x{{ else }}{{ .metadata.name }}{{ end }}", "p"),
          new Case("{{ range .spec.containers }}{{ .name }},{{ end }}", "a,b,"),
          new Case("{{ range $i, $c := .spec.containers }}{{ $i }}{{ $c.name }}{{ end }}", "0a1b"),
          new Case("{{ range $c := .spec.containers }}{{ $.metadata.name }}{{ end }}", "pp"),
          new Case(
              "{{ range $k, $v := .metadata.annotations }}{{ $k }}={{ $v }};{{ end }}",
              "a.b/c=x;empty=;"),
          new Case("{{ range .none }}x{{ else }}nothing{{ end }}", "nothing"),
          new Case("{{ range 3 }}{{ . }}{{ end }}", "012"),
          new Case(
              "{{ range .spec.containers }}{{ if eq .name \"a\" }}{{ continue }}{{ end }}{{ .name"
                  + " }}{{ end }}",
              "b"),
          new Case("{{ range .spec.containers }}{{ .name }}{{ break }}{{ end }}", "a"),
          new Case("{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }}", "2"),
          new Case("{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ end }}{{ $x }}", "1"),
          new Case("{{ (index .spec.containers 1).name }}", "b"),
          new Case("{{ or .none .metadata.name }}{{ and .none (index .none 1) }}", "p<no value>"),
          new Case("{{ .huge }}", "1.0E+999999999"),
          new Case("{{ or .none false (index .spec.containers 0).image }}", "i"),
          new Case(
              "{{ not .none }}{{ eq 1 1.0 }}{{ eq \"a\" \"b\" \"a\" }}{{ ne 1 2 }}{{ lt 1 2 }}{{ ge"
                  + " \"b\" \"a\" }}",
              "truetruetruetruetruetrue"),
          new Case("{{ len .spec.containers }}{{ len \"abc\" }}", "23"),
          new Case(
              "{{ printf \"%s-%03d-%q-%v%%\" .metadata.name 7 \"x\" true }}", "p-007-\"x\"-true%"),
          new Case("{{ .metadata.name | printf \"%s %s\" \"pod\" | Quote }}", "\"pod p\""),
          new Case("{{ slice \"abcd\" 1 3 }}", "bc"),
          new Case(
              "{{ define \"t\" }}<{{ .name }}>{{ end }}{{ range .spec.containers }}{{ template"
                  + " \"t\" . }}{{ end }}",
              "<a><b>"),
          new Case("{{ block \"t\" .metadata }}{{ .name }}{{ end }}", "p"),
          new Case(
              "{{ .spec.none | default \"d\" }}{{ default \"d\" \"\" }}{{ coalesce nil \"\" \"c\""
                  + " }}",
              "ddc"),
          new Case("{{ ternary \"y\" \"n\" .spec.host }}", "y"),
          new Case("{{ dict \"a\" 1 \"b\" (list 1 2) | toJson }}", "{\"a\":1,\"b\":[1,2]}"),
          new Case(
              "{{ join \",\" (list \"a\" \"b\") }}{{ \"a-b\" | splitList \"-\" | last }}", "a,bb"),
          new Case(
              "{{ add 1 2 3 }}{{ sub 5 1 }}{{ mul 2 3 }}{{ div 7 2 }}{{ mod 7 2 }}{{ max 1 9 }}",
              "646319"),
          new Case(
              "{{ \"Ab\" | lower }}{{ trimSuffix \"b\" \"ab\" }}{{ replace \"a\" \"o\" \"banana\""
                  + " }}",
              "abaobonono".replaceFirst("o", "")),
          new Case(
              "{{ int (ceil (divf 7 2)) }} {{ addf 1.5 2 }} {{ mulf 2 1.5 }} {{ subf 1 0.5 }}",
              "4 3.5 3 0.5"),
          new Case("{{ maxf 1 2.5 }} {{ minf 1 2.5 }}", "2.5 1"),
          new Case("{{ list \"b\" \"\" \"a\" | compact | sortAlpha | toJson }}", "[\"a\",\"b\"]"),
          new Case("{{ without (list 1 2 3) 2 | toJson }}", "[1,3]"),
          new Case(
              "{{ $d := dict \"a\" 1 \"b\" 2 }}{{ pick $d \"a\" | toJson }}{{ omit $d \"a\" |"
                  + " toJson }}",
              "{\"a\":1}{\"b\":2}"),
          new Case("{{ indent 2 \"a\\nb\" }}", "  a\n  b"),
          new Case("{{ YAML .metadata.annotations 1 }}", "\n  a.b/c: x\n  empty: ''"),
          new Case(
              "{{ \"2030-01-02T03:04:05Z\" | date \"2006-01-02 15:04:05\" }}",
              "2030-01-02 03:04:05"),
          new Case("{{ \"2030-01-02T03:04:05Z\" | dateModify \"-1h\" }}", "2030-01-02T02:04:05Z"),
          new Case(
              "{{ \"2030-01-02T03:04:05Z\" | date \"Mon, 02 Jan 2006 15:04:05 MST\" }}",
              "Wed, 02 Jan 2030 03:04:05 UTC"),
          new Case(
              "{{ \"2030-01-02T03:04:05Z\" | date \"'at' 3:4:5 PM on 1/2/06 [_2]\" }}",
              "'at' 3:4:5 AM on 1/2/30 [ 2]"),
          new Case("{{ round 123.5555 3 }} {{ round 2.5 }} {{ round 7 2 }}", "123.556 3 7"),
          new Case("{{ if eq .spec.none \"x\" }}y{{ else }}n{{ end }}", "n"),
          new Case("{{ or (index (or .none dict) \"a\") \"else\" }}", "else"),
          new Case(
              "{{ index .metadata.annotations \"none\" | default \"0\" | atoi | add 1 }}", "1"),
          new Case("{{ add1 (or .status.none 0) }}", "1"),
          new Case("{{ range $i := until (atoi \"2\") }}{{ $i }}{{ end }}", "01"),
          new Case(
              "{{ define \"c\" }}{{ $r := .root }}{{ with .it }}{{ .name }}@{{ $r.metadata.name"
                  + " }} {{ end }}{{ end }}{{ range .spec.containers }}{{ template \"c\" dict"
                  + " \"it\" . \"root\" $ }}{{ end }}",
              "a@p b@p "),
          new Case(
              "{{ $has := 0 }}{{ range .spec.containers }}{{ if eq .Name \"a\" }}{{ $has = 1 }}{{"
                  + " break }}{{ end }}{{ end }}{{ if $has }}y{{ else }}n{{ end }}",
              "n"),
          new Case("{{ .spec.containers }}", "[map[image:i name:a] map[name:b]]"));

  @ParameterizedTest
  @FieldSource("RENDERED")
  void renders(Case c) {
    assertThat(Template.parse(c.template(), new TreeMap<>()).render(DATA)).isEqualTo(c.want());
  }

  static final List<Case> UNREADABLE =
      List.of(
          new Case("a\n{{ .x", "line 2: an action has no end"),
          new Case("{{ if .x }}y", "an {{end}} is missing"),
          new Case("{{ end }}", "line 1: unexpected {{end}}"),
          new Case("{{ nonsense }}", "function \"nonsense\" is not defined"),
          new Case("{{ $x }}", "undefined variable \"$x\""),
          new Case("{{ if true }}{{ $x := 1 }}{{ end }}{{ $x }}", "undefined variable"),
          new Case("{{ break }}", "{{break}} outside {{range}}"),
          new Case("{{ (1 }}", "a parenthesis is not closed"),
          new Case("{{ | 1 }}", "a value is missing"),
          new Case("{{ \"a }}", "a quote has no end"),
          new Case("{{ 1x }}", "is no number"),
          new Case("{{/* x", "a comment has no end"),
          new Case("{{ # }}", "unexpected \"#\""));

  @ParameterizedTest
  @FieldSource("UNREADABLE")
  void refusesWhatItCannotRead(Case c) {
    assertThatThrownBy(() -> Template.parse(c.template(), new TreeMap<>()))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining(c.want());
  }

  static final List<Case> FAILING =
      List.of(
          new Case("{{ .metadata.name.more }}", "can't evaluate field more"),
          new Case("{{ index .spec.containers 5 }}", "index out of range"),
          new Case("{{ index .none 0 }}", "error calling index"),
          new Case("{{ lt 1 \"a\" }}", "cannot be compared"),
          new Case("{{ range .metadata.name }}{{ end }}", "range can't iterate over \"p\""),
          new Case("{{ template \"none\" }}", "template \"none\" is not defined"),
          new Case("{{ define \"t\" }}{{ template \"t\" }}{{ end }}{{ template \"t\" }}", "deep"),
          new Case("{{ range 999999 }}{{ range 999999 }}{{ end }}{{ end }}", "steps"),
          new Case("{{ repeat 1000000 \"aaaa\" }}", "exceed"),
          new Case("{{ range 1000 }}{{ repeat 10000 \"a\" }}{{ end }}", "output exceeds"),
          new Case("{{ fail \"why\" }}", "why"),
          new Case("{{ div 1 0 }}", "division by zero"),
          new Case("{{ divf 1 0 }}", "division by zero"),
          new Case("{{ $x := 9 }}{{ range 40 }}{{ $x = mul $x $x }}{{ end }}", "places"),
          new Case("{{ $x := 9.5 }}{{ range 40 }}{{ $x = mulf $x $x }}{{ end }}", "places"),
          new Case("{{ add .huge 1 }}", "places"),
          new Case("{{ 31556889864403200 | dateModify \"1h\" }}", "error calling dateModify"),
          new Case("{{ Quote }}", "wrong number of arguments: wants 1, got 0"),
          new Case("{{ .spec 1 }}", "only a function takes arguments"));

  @ParameterizedTest
  @FieldSource("FAILING")
  void saysWhyItCannotRender(Case c) {
    Template template = Template.parse(c.template(), new TreeMap<>());

    assertThatThrownBy(() -> template.render(DATA))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining(c.want());
  }

  record Chance(String template, String want) {}

  static final List<Chance> CHANCES =
      List.of(
          new Chance("{{ randInt 3 5 }}", "[34]"),
          new Chance("{{ randNumeric 4 }}", "[0-9]{4}"),
          new Chance("{{ randAlpha 4 }}", "[a-zA-Z]{4}"),
          new Chance("{{ randAlphaNum 4 }}", "[a-zA-Z0-9]{4}"),
          new Chance(
              "{{ uuidv4 }}",
              "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));

  @ParameterizedTest
  @FieldSource("CHANCES")
  void leavesToChance(Chance c) {
    var functions = RandomFunctions.of(new SplittableRandom(1));

    assertThat(Template.parse(c.template(), functions).render(DATA)).matches(c.want());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{{ randInt 5 5 }}", "{{ randAlpha -1 }}", "{{ randAlpha 100000 }}"})
  void refusesWhatChanceCannotDo(String text) {
    Template template = Template.parse(text, RandomFunctions.of(new SplittableRandom(1)));

    assertThatThrownBy(() -> template.render(DATA)).isInstanceOf(TemplateException.class);
  }
}
