package dev.sluice.conformance.apiserver;

import dev.sluice.apiserver.cluster.EmbeddedCluster;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.RealTime;
import dev.sluice.store.Store;
import dev.sluice.store.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The same definitions and objects with CEL rules, on a real API server and on ours: both accept
 * the same, and name the same fields with the same reasons where they refuse.
 */
@RequiresKubernetes
class CustomRulesIT {
  private static final ResourceKind RULED =
      new ResourceKind("example.com", "v1", "Ruled", "ruleds", true);
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: ruleds.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: ruleds, kind: Ruled}
        versions:
        - name: v1
          served: true
          storage: true
          schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}
      """;
  private static final String TEXT = "{type: string, maxLength: 30}";
  private static final String NUMBER = "{type: integer}";
  private static final String TEXTS = "{type: array, maxItems: 9, items: " + TEXT + "}";
  private static final String NUMBERS = "{type: array, maxItems: 9, items: " + NUMBER + "}";
  private static final String SET =
      "{type: array, maxItems: 9, x-kubernetes-list-type: set, items: " + TEXT + "}";
  private static final String MAP =
      "{type: object, maxProperties: 9, additionalProperties: " + TEXT + "}";
  private static final String KEYED =
      "{type: array, maxItems: 9, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id],"
          + " items: {type: object, required: [id], properties: {id: "
          + TEXT
          + ", n: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf}]}}}}";

  /** A field {@code x} with a rule about it, what it is at first, and what it becomes. */
  record Case(String schema, String rule, List<String> values) {
    Case(String schema, String rule, String... values) {
      this(schema, "{rule: \"" + rule + "\"}", List.of(values));
    }

    /** A case whose rule is written with all its parts. */
    static Case of(String schema, String rule, String... values) {
      return new Case(schema, rule, List.of(values));
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case(NUMBER, "self > 1", "1"),
          new Case(NUMBER, "self > 1", "2", "1"),
          new Case(NUMBER, "self == oldSelf", "1", "2"),
          new Case(NUMBER, "self / 0 == 1", "1"),
          new Case("{type: number}", "self > 1", "1.5"),
          new Case(TEXT, "self.matches('^a+$')", "aab"),
          new Case(TEXT, "self.matches('b')", "aab"),
          new Case(TEXT, "self.find('[0-9]+') == '12'", "a12b"),
          new Case(TEXT, "self.lowerAscii() == 'ab' && self.split('')[0] == 'A'", "AB"),
          new Case(TEXT, "'%s!'.format([self]) == 'a!'", "a"),
          new Case(TEXT, "quantity(self).isLessThan(quantity('1Gi'))", "1025Mi"),
          new Case(TEXT, "isQuantity(self)", "'1x'"),
          new Case(TEXT, "url(self).getHostname() == 'a.b'", "'https://a.b:80/c'"),
          new Case(TEXT, "isURL(self)", "'../a'"),
          new Case(
              "{type: string, format: date-time}",
              "self < timestamp('2026-01-01T00:00:00Z')",
              "'2027-01-01T00:00:00Z'"),
          new Case("{type: string, format: duration}", "self > duration('1m')", "2m"),
          new Case("{type: string, format: byte}", "size(self) == 3", "YWJj"),
          new Case("{x-kubernetes-int-or-string: true}", "self == '10%' || self == 10", "10%"),
          new Case("{x-kubernetes-int-or-string: true}", "type(self) == int", "10%"),
          new Case(TEXTS, "self == ['a', 'b']", "[b, a]"),
          new Case(SET, "self == ['a', 'b']", "[b, a]"),
          new Case(SET, "self == oldSelf", "[b, a]", "[a, b]"),
          new Case(TEXTS, "self.all(t, t.startsWith('a'))", "[aa, ba]"),
          new Case(TEXTS, "self.exists_one(t, t == 'a')", "[a, a]"),
          new Case(NUMBERS, "self.sum() == 6 && self.max() == 3 && self.isSorted()", "[1, 2, 3]"),
          new Case(NUMBERS, "self.indexOf(2) == 1 && self.min() == 1", "[2, 1]"),
          new Case(NUMBERS, "self[5] == 1", "[1]"),
          new Case(TEXTS, "sets.contains(self, ['a'])", "[b]"),
          new Case(MAP, "self.all(k, self[k] == k)", "{a: b}"),
          new Case(MAP, "self[?'a'].orValue('none') == 'none'", "{b: b}"),
          new Case(
              KEYED,
              "self.size() < 3",
              "[{id: a, n: 3}, {id: b, n: 3}]",
              "[{id: b, n: 2}, {id: a, n: 4}]"),
          new Case(
              "{type: object, properties: {a: " + NUMBER + ", b.c: " + NUMBER + "}}",
              "has(self.a) && self.b__dot__c == 1",
              "{b.c: 1}"),
          new Case(
              "{type: object, properties: {a: " + NUMBER + "}}", "self.?a.orValue(3) == 3", "{}"),
          Case.of(
              "{type: object, properties: {a: " + NUMBER + "}}",
              "{rule: self.a > 1, reason: FieldValueForbidden, fieldPath: .a, message: small}",
              "{a: 1}"),
          Case.of(
              NUMBER,
              "{rule: self > 1, reason: FieldValueRequired, messageExpression: string(self)}",
              "0"),
          Case.of(NUMBER, "{rule: 'oldSelf.hasValue() || self == 1', optionalOldSelf: true}", "2"));

  /** Rules that no server takes, for a field of the schema beside them. */
  static final List<Case> MALFORMED =
      List.of(
          new Case(NUMBER, "self.a > 1"),
          new Case(NUMBER, "self > 'a'"),
          new Case(NUMBER, "self"),
          new Case(NUMBER, "self >"),
          new Case("{type: object, properties: {a: " + NUMBER + "}}", "self.b == 1"),
          new Case("{type: string, maxLength: 3, nullable: true}", "self == null"),
          Case.of(NUMBER, "{rule: self > 1, reason: Whatever}"),
          Case.of(NUMBER, "{rule: self > 1, fieldPath: .a}"),
          Case.of(NUMBER, "{rule: self > 1, messageExpression: self}"),
          Case.of(NUMBER, "{rule: self > 1, optionalOldSelf: true}"),
          Case.of(
              "{type: array, maxItems: 2, items: {type: integer, x-kubernetes-validations:"
                  + " [{rule: self == oldSelf}]}}",
              "{rule: size(self) > 0}"));

  private final RealTime time = new RealTime();
  private final Store store = Stores.inMemory();
  private final StoreRegistry registry =
      new StoreRegistry(store, time, new SplittableRandom(1), List.of());
  private final Cluster ours = new EmbeddedCluster(registry, store, time, new SplittableRandom(2));
  private final KubernetesCluster real;

  CustomRulesIT(RealKubernetes kubernetes) {
    registry.bootstrap();
    this.real = RealCluster.of(kubernetes.kubeconfig(), time);
  }

  @AfterEach
  void close() {
    real.close();
    registry.close();
    store.close();
    time.close();
  }

  @Test
  void bothServersJudgeObjectsAlike() {
    Tree properties = Tree.EMPTY;
    for (int i = 0; i < CASES.size(); i++) {
      properties = properties.with("x" + i, field(CASES.get(i)));
    }
    ApiObject definition = definition("ruleds", "Ruled", properties);
    for (Cluster cluster : List.of(real, ours)) {
      cluster.create(Kinds.CUSTOM_RESOURCE_DEFINITION, definition);
      var key = definition.key(Kinds.CUSTOM_RESOURCE_DEFINITION);
      Eventually.holds(
          "the kind is served",
          () -> Condition.holds(cluster.get(key).orElseThrow().status(), "Established"));
    }
    Eventually.holds("objects are taken", () -> judged(real, "probe", "probe", "{}").isEmpty());

    var softly = new SoftAssertions();
    for (int i = 0; i < CASES.size(); i++) {
      Case c = CASES.get(i);
      softly.assertThat(judged(ours, c, i)).as(c.toString()).isEqualTo(judged(real, c, i));
    }
    softly.assertAll();
  }

  @Test
  void bothServersRefuseTheSameRules() {
    var softly = new SoftAssertions();
    for (int i = 0; i < MALFORMED.size(); i++) {
      Case c = MALFORMED.get(i);
      ApiObject definition = definition("bads" + i, "Bad" + i, Tree.of("x", field(c)));

      List<String> theirs = told(() -> real.create(Kinds.CUSTOM_RESOURCE_DEFINITION, definition));

      softly
          .assertThat(told(() -> ours.create(Kinds.CUSTOM_RESOURCE_DEFINITION, definition)))
          .as(c.toString())
          .isEqualTo(theirs);
    }
    softly.assertAll();
  }

  private static Tree field(Case c) {
    Tree rule = Yaml.parseAll(c.rule()).getFirst().asTree();
    return Yaml.parseAll(c.schema())
        .getFirst()
        .asTree()
        .with("x-kubernetes-validations", List.of(rule));
  }

  private static ApiObject definition(String plural, String kind, Tree properties) {
    Tree base = Yaml.parseAll(DEFINITION).getFirst().asTree();
    Tree version = base.tree("spec").trees("versions").getFirst();
    version =
        version.with(
            List.of("schema", "openAPIV3Schema", "properties", "spec", "properties"), properties);
    return new ApiObject(base)
        .withMetadata("name", plural + ".example.com")
        .with(List.of("spec", "names"), Tree.of("plural", plural, "kind", kind))
        .with(List.of("spec", "versions"), List.of(version));
  }

  /** What a server says to the values of a case, one after the other. */
  private static List<String> judged(Cluster cluster, Case c, int number) {
    String name = "case-" + number;
    var said = new ArrayList<String>(judged(cluster, name, "x" + number, c.values().getFirst()));
    if (c.values().size() > 1 && said.isEmpty()) {
      ApiObject created = cluster.get(RULED.key("default", name)).orElseThrow();
      Object next = Yaml.parseAll(c.values().getLast()).getFirst();
      said.addAll(
          told(() -> cluster.update(RULED, created.with(List.of("spec", "x" + number), next))));
    }
    return said;
  }

  private static List<String> judged(Cluster cluster, String name, String field, String value) {
    ApiObject object =
        ApiObject.of(RULED, "default", name)
            .withSpec(Tree.of(field, Yaml.parseAll(value).getFirst()));
    return told(() -> cluster.create(RULED, object));
  }

  /** The reasons and fields of a refusal, none if there is none. */
  private static List<String> told(Runnable write) {
    try {
      write.run();
      return List.of();
    } catch (ApiException refused) {
      List<Cause> causes = refused.failure().causes();
      return causes.isEmpty()
          ? List.of(refused.failure().reason().word())
          : causes.stream().map(CustomRulesIT::told).sorted().toList();
    }
  }

  /**
   * A definition with one version has its schema elsewhere inside the real server, and it shows.
   */
  private static String told(Cause cause) {
    return cause.reason()
        + " "
        + cause.field().replace("spec.validation.", "spec.versions[0].schema.");
  }
}
