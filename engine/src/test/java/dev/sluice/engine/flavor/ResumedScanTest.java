package dev.sluice.engine.flavor;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.admission.QueueSketch;
import dev.sluice.model.Amounts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Searches for flavors that stopped early go on with the next flavor, and come to an end. */
class ResumedScanTest {
  /**
   * A search goes on where it stopped, though an admission came in between:
   * docs/specification/flavor-assignment.md#example-resuming.
   */
  @Test
  void skippedWorkloadGoesOnWithTheNextFlavor() {
    AdmissionScene scene =
        AdmissionScene.classical(
                named("a").in("r").has("1", "gpu", 0).has("2", "gpu", 2),
                named("b").in("r").has("1", "gpu", 0).has("2", "gpu", 2))
            .cohorts(named("r").has("1", "gpu", 2))
            .pending(job("first", "a", 2).since(1), job("second", "b", 2).since(2));

    assertThat(scene.decide()).containsExactly("first 1", "second 2");
  }

  @Test
  void aScanThatWasInterruptedBeginsAnewWhenTheFlavorsChange() {
    QueueSketch preempting = named("a").in("r").has("1", "gpu", 2).within(LOWER_PRIORITY);
    AdmissionScene scene =
        AdmissionScene.classical(
                preempting,
                named("b").in("r").has("1", "gpu", 0).has("2", "gpu", 0).has("3", "gpu", 0))
            .runs("1", job("victim", "a", 1))
            .pending(job("preemptor", "a", 2).priority(1), job("outrun", "b", 1));
    scene.decide();

    scene.change(named("b").in("r").has("1", "gpu", 0));
    assertThat(scene.admitted()).isEmpty();
    assertThat(scene.ends("victim").admitted()).containsExactly("preemptor 1");
  }

  /**
   * Each resource alone could be had in the first flavor, one from a stranger and one from the own
   * queue, but not both; in the second there is too little. Who is behind is served all the same.
   */
  @Test
  void workloadTriedInAllFlavorsIsInadmissibleThoughEachSearchStoppedEarly() {
    Amounts both = Amounts.of("gpu", 2).plus(Amounts.of("disk", 2));
    AdmissionScene scene =
        AdmissionScene.classical(
                named("q")
                    .in("r")
                    .has("1", "gpu", 2)
                    .has("1", "disk", 2)
                    .has("2", "gpu", 1)
                    .has("2", "disk", 1)
                    .borrows(0)
                    .within(LOWER_PRIORITY)
                    .reclaims(LOWER_PRIORITY)
                    .fungible(false, false, false),
                named("other").in("r").has("1", "gpu", 0).has("1", "disk", 0))
            .runs("1", Job.empty("stranger", "other").pods("main", 1, Amounts.of("gpu", 2)))
            .runs("1", Job.empty("own", "q").pods("main", 1, Amounts.of("disk", 2)))
            .pending(
                Job.empty("large", "q").pods("main", 1, both).priority(5),
                Job.empty("small", "q").pods("main", 1, Amounts.of("gpu", 1)));

    assertThat(scene.admitted()).containsExactly("small 2");
  }

  /**
   * Each pod set could have either flavor, one from the own queue and one from a stranger, but they
   * cannot have both. While one is at its last flavor the other has one left, and so in turn.
   */
  @Test
  @Timeout(10)
  void podSetsThatComeToTheirLastFlavorInTurnDoNotGoOnForever() {
    Amounts one = Amounts.of("gpu", 1);
    AdmissionScene scene =
        AdmissionScene.classical(
                named("q")
                    .in("r")
                    .has("1", "gpu", 1)
                    .has("2", "gpu", 1)
                    .within(LOWER_PRIORITY)
                    .reclaims(LOWER_PRIORITY)
                    .fungible(false, false, false),
                named("other").in("r").has("2", "gpu", 0))
            .runs("1", job("own", "q", 1))
            .runs("2", job("stranger", "other", 1))
            .pending(
                Job.empty("large", "q").pods("a", 1, one).pods("b", 1, one).priority(5),
                Job.empty("next", "q"));

    assertThat(scene.decide()).containsExactly("next", "large: NO_CANDIDATES");
  }

  /**
   * All flavors have room, but strict heads claim it; who is outrun in each must not try forever.
   */
  @Test
  @Timeout(10)
  void twoWhoAreOutrunInTurnDoNotKeepEachOtherGoing() {
    AdmissionScene scene =
        AdmissionScene.classical(
                named("s1").has("f", "gpu", 3).in("r").strict().reclaims(LOWER_PRIORITY),
                named("s2").has("g", "gpu", 3).in("r").strict().reclaims(LOWER_PRIORITY),
                named("x").has("f", "gpu", 0).has("g", "gpu", 0).in("r"),
                named("y").has("f", "gpu", 0).has("g", "gpu", 0).in("r"),
                named("z").has("f", "gpu", 0).has("g", "gpu", 0).in("r"))
            .runs("f", job("z1", "z", 2).priority(9))
            .runs("g", job("z2", "z", 2).priority(9))
            .pending(
                job("a1", "s1", 3).priority(5),
                job("a2", "s2", 3).priority(5),
                job("x1", "x", 1),
                job("y0", "y", 9).priority(3),
                job("y1", "y", 1));

    assertThat(scene.decide())
        .containsExactly(
            "a1: NO_CANDIDATES", "a2: NO_CANDIDATES", "x1: SKIPPED", "y0: NO_FIT", "y1: SKIPPED");
  }

  /** A strict head claims what is free of the first flavor, and nothing is of the second. */
  @Test
  void workloadSkippedInOneFlavorAndWithoutQuotaInTheOtherIsInadmissible() {
    AdmissionScene scene =
        AdmissionScene.classical(
                named("strict").has("f", "gpu", 3).in("r").strict().reclaims(LOWER_PRIORITY),
                named("q").has("f", "gpu", 0).has("g", "gpu", 1).in("r"))
            .runs("f", job("f1", "q", 2).priority(9))
            .runs("g", job("g1", "q", 1).priority(9))
            .pending(
                job("claimer", "strict", 3).priority(5),
                job("outrun", "q", 1).priority(2),
                Job.empty("next", "q"));

    assertThat(scene.decide())
        .containsExactly("next", "claimer: NO_CANDIDATES", "outrun: NO_CANDIDATES");
    scene.engine.workloadLeft("team/claimer");
    assertThat(scene.decide()).containsExactly("outrun f");
  }

  /** Each claims the first flavor until it is put aside, and in the end nobody does. */
  @Test
  void workloadSkippedForManyIsAdmittedWhenAllAreInadmissible() {
    AdmissionScene scene =
        AdmissionScene.classical(
                named("claiming").has("f", "gpu", 3).in("r").reclaims(LOWER_PRIORITY),
                named("q").has("f", "gpu", 0).has("g", "gpu", 1).in("r"))
            .runs("f", job("f1", "q", 2).priority(9))
            .runs("g", job("g1", "q", 1).priority(9))
            .pending(job("outrun", "q", 1));

    for (int i = 1; i < 8; i++) {
      scene.pending(job("claimer" + i, "claiming", 3).priority(i));
    }

    assertThat(scene.admitted()).containsExactly("outrun f");
  }

  /** What it found is gone, and so is its right to hold up those behind it. */
  @Test
  void skippedWorkloadThatNoLongerFitsIsInadmissible() {
    AdmissionScene scene =
        AdmissionScene.classical(
                named("strict").has("f", "gpu", 3).in("r").strict().reclaims(LOWER_PRIORITY),
                named("q").has("f", "gpu", 0).in("r"))
            .runs(job("f1", "q", 2).priority(9))
            .pending(
                job("claimer", "strict", 3).priority(5),
                job("outrun", "q", 1).priority(2),
                Job.empty("next", "q"));
    assertThat(scene.admitted()).isEmpty();

    scene.runs(job("stranger", "q", 1).priority(9));

    assertThat(scene.admitted()).containsExactly("next");
  }
}
