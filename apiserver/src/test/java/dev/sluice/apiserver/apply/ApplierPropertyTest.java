package dev.sluice.apiserver.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Random managers and one object. */
class ApplierPropertyTest {
  private ApiObject gate = ApplierTest.PART.blank();

  private ApiObject applied(String manager, boolean insists, Tree configuration) {
    return new Applier(ApplierTest.PART, manager, insists, Instant.EPOCH)
        .apply(gate, configuration);
  }

  /** Every manager gets what it says, nobody loses what is theirs, and nothing is left over. */
  @Test
  void randomManagersLiveTogether() {
    long seed = Long.getLong("seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 400; i++) {
      String manager = "m" + random.nextInt(4);
      String spec = spec(random);
      String step = "-Dseed=%d: step %d, %s applies %s".formatted(seed, i, manager, spec);
      Tree configuration = ApplierTest.gate(spec);
      gate = applied(manager, true, configuration);

      assertThat(Merge.of(ApplierTest.PART.mergeSchema(), gate.tree(), configuration))
          .as(step)
          .isEqualTo(gate.tree());
      FieldSet present =
          FieldsOf.value(ApplierTest.PART.mergeSchema(), ManagedFields.removedFrom(gate).tree());
      FieldSet owned = ManagedFields.of(gate).owned("example.com/v1");
      assertThat(ApplierTest.PART.ownable(present).minus(owned).paths()).as(step).isEmpty();
      ApiObject again = applied(manager, false, configuration);
      assertThat(again).as(step).isEqualTo(gate);
    }
  }

  /**
   * Never an empty one: as on Kubernetes, a part goes with its last field, also if whoever applies
   * wants the part itself, and is there again only after the next time.
   */
  private static String spec(RandomGenerator random) {
    String spec = fields(random);
    return spec.isEmpty() ? "n: 0" : spec;
  }

  private static String fields(RandomGenerator random) {
    int value = random.nextInt(3);
    return List.of(
            "n: %d",
            "map: {a: '%d'}",
            "map: {b: '%d'}",
            "set: [x, v%d]",
            "list: ['%d']",
            "keyed: [{k: a, v: '%d'}, {k: b}]",
            "keyed: [{k: c}]",
            "whole: {a: '%d'}")
        .stream()
        .filter(ignored -> random.nextInt(3) == 0)
        .map(field -> field.formatted(value))
        .collect(
            Collectors.toMap(
                field -> field.substring(0, field.indexOf(':')),
                field -> field,
                (one, other) -> other,
                TreeMap::new))
        .values()
        .stream()
        .collect(Collectors.joining(", "));
  }
}
