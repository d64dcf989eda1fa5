package dev.sluice.apiserver.registry.admission;

import static dev.sluice.apiserver.registry.World.refused;
import static dev.sluice.apiserver.registry.World.yaml;
import static dev.sluice.model.Kinds.JOB;
import static dev.sluice.model.Kinds.POD;
import static dev.sluice.model.Kinds.SERVICE_ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The accounts of pods. */
class ServiceAccountTest {
  private final World world = new World();

  private static Tree pod(String spec) {
    return MergePatch.apply(Samples.pod("p"), Tree.of("spec", yaml(spec)));
  }

  /** What a pod asks for, and the account it gets. */
  record Case(String spec, String want) {}

  static final List<Case> CASES =
      List.of(
          new Case("{}", "default"),
          new Case("{serviceAccountName: other}", "other"),
          new Case("{serviceAccount: other}", "other"),
          new Case("{serviceAccount: default, serviceAccountName: other}", "other"));

  @ParameterizedTest
  @FieldSource("CASES")
  void aPodHasAnAccountUnderBothNames(Case c) {
    world.create(SERVICE_ACCOUNT, "{metadata: {name: other}}");

    Tree spec = world.create(POD, pod(c.spec())).spec();

    assertThat(spec.text("serviceAccountName")).isEqualTo(c.want());
    assertThat(spec.text("serviceAccount")).isEqualTo(c.want());
    assertThat(spec.has("volumes")).as("no token is promised").isFalse();
  }

  @Test
  void anAccountThatIsNotThereIsRefused() {
    assertThat(
            refused(Reason.FORBIDDEN, () -> world.create(POD, pod("{serviceAccountName: other}")))
                .message())
        .isEqualTo(
            "pods \"p\" is forbidden: error looking up service account default/other:"
                + " serviceaccount \"other\" not found");
  }

  @Test
  void thePodGetsTheSecretsForImagesOfItsAccountUnlessItHasSome() {
    world.create(
        SERVICE_ACCOUNT, "{metadata: {name: default}, imagePullSecrets: [{name: a}, {name: b}]}");

    assertThat(world.create(POD, pod("{}")).spec().trees("imagePullSecrets"))
        .containsExactly(Tree.of("name", "a"), Tree.of("name", "b"));
    Tree own =
        MergePatch.apply(pod("{imagePullSecrets: [{name: c}]}"), yaml("{metadata: {name: q}}"));
    assertThat(world.create(POD, own).spec().trees("imagePullSecrets"))
        .containsExactly(Tree.of("name", "c"));
  }

  @Test
  void aTemplateNamesOnlyTheAccountThatItsWriterChose() {
    Tree template = world.create(JOB, Samples.job("j")).spec().tree("template", "spec");
    assertThat(template.has("serviceAccountName")).isFalse();

    Tree chosen =
        MergePatch.apply(
            Samples.job("k"), yaml("{spec: {template: {spec: {serviceAccountName: later}}}}"));
    assertThat(world.create(JOB, chosen).spec().text("template", "spec", "serviceAccount"))
        .isEqualTo("later");
  }
}
