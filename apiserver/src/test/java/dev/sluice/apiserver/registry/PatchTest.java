package dev.sluice.apiserver.registry;

import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.WriteOptions.FieldValidation;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.MergePatch;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Patches: decided anew when they lose a race, and told what is wrong with them. */
class PatchTest {
  private final World world = new World();

  @Test
  void aPatchIsDecidedAnewWhenItLosesARace() {
    world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));
    var tries = new AtomicInteger();

    ApiObject patched =
        world.patch(
            Kinds.CONFIG_MAP,
            "a",
            tree -> {
              if (tries.incrementAndGet() < 5) {
                interfere(tries.get());
              }
              return MergePatch.apply(tree, World.yaml("metadata: {labels: {patched: 'yes'}}"));
            });

    assertThat(tries).hasValue(5);
    assertThat(patched.labels()).containsEntry("patched", "yes").containsEntry("try", "4");
  }

  @Test
  void aPatchThatLosesFiveRacesIsAConflict() {
    world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));
    var tries = new AtomicInteger();

    refused(
        Reason.CONFLICT,
        () ->
            world.patch(
                Kinds.CONFIG_MAP,
                "a",
                tree -> {
                  interfere(tries.incrementAndGet());
                  return tree.with(List.of("metadata", "labels", "patched"), "yes");
                }));

    assertThat(tries).hasValue(5);
  }

  private void interfere(int attempt) {
    ApiObject current = world.get(Kinds.CONFIG_MAP, "a");
    world.update(Kinds.CONFIG_MAP, current.withLabel("try", String.valueOf(attempt)));
  }

  @Test
  void aPatchThatNamesAnOldRevisionIsAConflict() {
    ApiObject created = world.create(Kinds.CONFIG_MAP, Samples.configMap("a"));
    world.update(Kinds.CONFIG_MAP, created.withLabel("a", "b"));

    refused(
        Reason.CONFLICT,
        () ->
            world.patch(
                Kinds.CONFIG_MAP,
                "a",
                tree ->
                    tree.with(List.of("metadata", "resourceVersion"), created.resourceVersion())));
  }

  @Test
  void anUnknownFieldInAStrictPatchIsInvalid() {
    world.create(Kinds.JOB, Samples.job("j"));

    ApiFailure failure =
        refused(
            Reason.INVALID,
            () ->
                world.registry.patch(
                    world.served(Kinds.JOB),
                    "default",
                    "j",
                    "",
                    tree -> tree.with(List.of("spec", "nope"), 1),
                    world.options(false, FieldValidation.STRICT)));

    assertThat(fields(failure)).containsExactly("patch");
    assertThat(failure.message()).contains("unknown field \"spec.nope\"");
  }
}
