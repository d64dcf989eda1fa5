package dev.sluice.controllers.nodes;

import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class KwokConfigurationTest {

  private static String options(String options) {
    return "{apiVersion: config.kwok.x-k8s.io/v1alpha1, kind: KwokConfiguration, options: {%s}}"
        .formatted(options);
  }

  private static final String STAGE =
      "{apiVersion: kwok.x-k8s.io/v1alpha1, kind: Stage, metadata: {name: s}, spec: {}}";

  record Choice(String options, List<String> nodes) {}

  static final List<Choice> CHOICES =
      List.of(
          new Choice("", List.of("fake")),
          new Choice("manageAllNodes: false", List.of("fake")),
          new Choice("manageAllNodes: true", List.of("fake", "red", "plain")),
          new Choice("manageSingleNode: plain", List.of("plain")),
          new Choice("manageNodesWithAnnotationSelector: kwok.x-k8s.io/node=fake", List.of("fake")),
          new Choice(
              "manageNodesWithAnnotationSelector: '!kwok.x-k8s.io/node'", List.of("red", "plain")),
          new Choice("manageNodesWithLabelSelector: color==red", List.of("red")),
          new Choice("manageNodesWithLabelSelector: color", List.of("red")),
          new Choice("manageNodesWithLabelSelector: 'color!=red'", List.of("fake", "plain")),
          new Choice("manageNodesWithLabelSelector: 'color,size=l'", List.of()));

  @ParameterizedTest
  @FieldSource("CHOICES")
  void choosesNodes(Choice c) {
    var settings = KwokConfiguration.read(options(c.options())).settings();
    var nodes =
        List.of(
            yaml("{metadata: {name: fake, annotations: {kwok.x-k8s.io/node: fake}}}"),
            yaml("{metadata: {name: red, labels: {color: red}}}"),
            yaml("{metadata: {name: plain}}"));

    assertThat(nodes.stream().filter(settings::manages).map(node -> node.name()))
        .containsExactlyElementsOf(c.nodes());
  }

  @Test
  void readsTheOtherOptions() {
    var settings =
        KwokConfiguration.read(
                options(
                    "cidr: 10.9.0.0/16, nodeIP: 1.2.3.4, nodeName: me, nodePort: 80,"
                        + " nodeLeaseDurationSeconds: 200, disregardStatusWithLabelSelector:"
                        + " hands=off, disregardStatusWithAnnotationSelector: hands=off"))
            .settings();

    assertThat(settings.podCidr()).isEqualTo("10.9.0.0/16");
    assertThat(settings.nodeAddress()).isEqualTo("1.2.3.4");
    assertThat(settings.nodeName()).isEqualTo("me");
    assertThat(settings.nodePort()).isEqualTo(80);
    assertThat(settings.leaseLength()).isEqualTo(Duration.ofSeconds(200));
    assertThat(settings.disregards(yaml("{metadata: {name: a, labels: {hands: \"off\"}}}")))
        .isTrue();
    assertThat(settings.disregards(yaml("{metadata: {name: a, annotations: {hands: \"off\"}}}")))
        .isTrue();
    assertThat(settings.disregards(yaml("{metadata: {name: a}}"))).isFalse();
  }

  @Test
  void documentsBecomeObjects() {
    var read =
        KwokConfiguration.read(
            String.join(
                "\n---\n",
                STAGE,
                options("cidr: 10.1.0.0/16"),
                STAGE.replace("kind: Stage", "kind: ResourceUsage")));

    assertThat(read.objects())
        .extracting(each -> each.kind().kind() + " " + each.object().path())
        .containsExactly("Stage s", "ResourceUsage default/s");
    assertThat(read.settings().podCidr()).isEqualTo("10.1.0.0/16");
    assertThat(read.warnings()).isEmpty();
  }

  record Warned(String yaml, String want) {}

  static final List<Warned> WARNED =
      List.of(
          new Warned(options("tlsCertFile: a"), "options.tlsCertFile has no effect"),
          new Warned(
              options("nodeLeaseDurationSeconds: 0"),
              "options.nodeLeaseDurationSeconds: 0 has no effect: whether leases are renewed is"
                  + " decided by the controllers that run"),
          new Warned(
              STAGE.replace("Stage", "ClusterLogs"),
              "document 1 (ClusterLogs) has no effect: it is not supported"),
          new Warned(
              "{apiVersion: config.kwok.x-k8s.io/v1alpha1, kind: KwokctlConfiguration}",
              "document 1 (KwokctlConfiguration) has no effect: it is for kwokctl"));

  @ParameterizedTest
  @FieldSource("WARNED")
  void saysWhatHasNoEffect(Warned c) {
    assertThat(KwokConfiguration.read(c.yaml()).warnings()).containsExactly(c.want());
  }

  static final List<Warned> WRONG =
      List.of(
          new Warned("a: [", "it is no YAML"),
          new Warned("just text", "document 1 is no object"),
          new Warned(
              "{apiVersion: v1, kind: Pod, metadata: {name: p}}",
              "document 1 is a Pod of v1, which does not belong into this file"),
          new Warned(STAGE.replace("Stage", "Stag"), "document 1: KWOK has no kind \"Stag\""),
          new Warned(STAGE.replace("name: s", ""), "document 1 (Stage) has no metadata.name"),
          new Warned(options("cidr: here"), "options.cidr: here is no range of addresses"),
          new Warned(
              options("nodeLeaseDurationSeconds: -1"),
              "options.nodeLeaseDurationSeconds is -1, but must not be negative"),
          new Warned(
              options("manageNodesWithLabelSelector: 'a in (b)'"),
              "options.manageNodesWithLabelSelector: a in (b) is not understood: write key=value"),
          new Warned(
              options("manageAllNodes: true, manageSingleNode: a"), "exclude each other: give one"),
          new Warned(
              options("enableCRDs: [Stage]") + "\n---\n" + STAGE,
              "options.enableCRDs has Stage, and the file has documents of it"));

  @ParameterizedTest
  @FieldSource("WRONG")
  void saysWhatIsWrong(Warned c) {
    assertThatThrownBy(() -> KwokConfiguration.read(c.yaml()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(c.want());
  }
}
