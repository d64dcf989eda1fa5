package dev.sluice.acceptance;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.sluice.kubernetes.Connection;
import dev.sluice.runtime.RealTime;
import java.io.File;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rules of the house that the order of the modules cannot check. */
class HouseRulesTest {
  private static final List<String> ROOMS =
      List.of(
          "model",
          "engine",
          "runtime",
          "testkit",
          "store",
          "apiserver",
          "controllers",
          "kubernetes",
          "machine",
          "simulator",
          "dashboard",
          "cli",
          "conformance");

  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.sluice");

  @Test
  void everyRoomIsLookedAt() {
    Set<String> seen = new TreeSet<>();
    for (JavaClass type : HOUSE) {
      seen.add(room(type.getPackageName()));
    }

    assertThat(seen).containsExactlyInAnyOrderElementsOf(ROOMS);
  }

  @Test
  void aRoomDependsOnlyOnRoomsAboveIt() {
    for (int i = 0; i < ROOMS.size(); i++) {
      String[] below =
          ROOMS.subList(i + 1, ROOMS.size()).stream()
              .map(HouseRulesTest::inRoom)
              .toArray(String[]::new);
      if (below.length > 0) {
        noClasses()
            .that()
            .resideInAPackage(inRoom(ROOMS.get(i)))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(below)
            .check(HOUSE);
      }
    }
  }

  @Test
  void onlyTestsUseTheTestkit() {
    noClasses()
        .that()
        .resideOutsideOfPackage(inRoom("testkit"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(inRoom("testkit"))
        .check(HOUSE);
  }

  @Test
  void theEngineIsPure() {
    noClasses()
        .that()
        .resideInAPackage(inRoom("engine"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.io..", "java.net..", "java.nio..", "java.util.concurrent..", "org.slf4j..")
        .check(HOUSE);
  }

  @Test
  void controllersActThroughThePortOnly() {
    noClasses()
        .that()
        .resideInAPackage(inRoom("controllers"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            inRoom("store"),
            inRoom("apiserver"),
            inRoom("kubernetes"),
            "io.fabric8..",
            "java.net..",
            "java.nio.file..")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(File.class, ProcessBuilder.class)
        .check(HOUSE);
  }

  /** Processes have the time of their machine; all other code has the port's. */
  @Test
  void onlyRealTimeAndTheMachineLookAtTheClock() {
    noClasses()
        .that()
        .resideOutsideOfPackages(inRoom("machine"), inRoom("conformance"))
        .and()
        .areNotAssignableTo(RealTime.class)
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.time.Clock")
        .check(HOUSE);
  }

  /** The effect of a command follows from its flags and files, not from exported variables. */
  @Test
  void theEnvironmentIsReadOnlyWhereItIsTheSubject() {
    noClasses()
        .that()
        .resideOutsideOfPackages(inRoom("cli"), inRoom("machine"), inRoom("conformance"))
        .and()
        .areNotAssignableTo(Connection.class)
        .should()
        .callMethod(System.class, "getenv")
        .orShould()
        .callMethod(System.class, "getenv", String.class)
        .check(HOUSE);
  }

  @Test
  void theRuntimeKnowsNoKind() {
    noClasses()
        .that()
        .resideInAPackage(inRoom("runtime"))
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("dev.sluice.model.Kinds")
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.sluice.model.core..", "dev.sluice.model.batch..", "dev.sluice.model.kueue..")
        .check(HOUSE);
  }

  @Test
  void nothingIsNullWhereItDoesNotSaySo() {
    Set<String> unmarked = new TreeSet<>();
    for (JavaClass type : HOUSE) {
      JavaPackage itsPackage = type.getPackage();
      if (!itsPackage.isAnnotatedWith(NullMarked.class)) {
        unmarked.add(itsPackage.getName());
      }
    }

    assertThat(unmarked).as("packages without @NullMarked").isEmpty();
  }

  private static String room(String packageName) {
    return packageName.split("\\.", -1)[2];
  }

  private static String inRoom(String room) {
    return "dev.sluice." + room + "..";
  }
}
