package dev.sluice.apiserver.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.apiserver.http.request.Negotiation.Choice;
import dev.sluice.apiserver.http.request.Negotiation.Encoding;
import dev.sluice.apiserver.http.request.Negotiation.Form;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class NegotiationTest {
  private static final Set<Form> LIST = EnumSet.of(Form.PLAIN, Form.TABLE, Form.METADATA_LIST);
  private static final Set<Encoding> ENCODINGS = Encoding.TEXTS;
  private static final String META = ";g=meta.k8s.io;v=v1";

  record Case(String accept, Form form, Encoding encoding, String version) {}

  static final List<Case> CASES =
      List.of(
          new Case("", Form.PLAIN, Encoding.JSON, ""),
          new Case("*/*", Form.PLAIN, Encoding.JSON, ""),
          new Case("application/*", Form.PLAIN, Encoding.JSON, ""),
          new Case("application/json", Form.PLAIN, Encoding.JSON, ""),
          new Case("Application/JSON; charset=utf-8", Form.PLAIN, Encoding.JSON, ""),
          new Case("application/yaml", Form.PLAIN, Encoding.YAML, ""),
          new Case("application/yaml;q=0.2, application/json", Form.PLAIN, Encoding.JSON, ""),
          new Case("application/json;q=0.2,application/yaml;q=0.9", Form.PLAIN, Encoding.YAML, ""),
          new Case(
              "application/vnd.kubernetes.protobuf,application/json",
              Form.PLAIN,
              Encoding.JSON,
              ""),
          new Case("application/json;as=Table" + META, Form.TABLE, Encoding.JSON, "v1"),
          new Case(
              "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;"
                  + "g=meta.k8s.io,application/json",
              Form.TABLE,
              Encoding.JSON,
              "v1"),
          new Case(
              "application/json;as=Table;v=v2;g=meta.k8s.io,application/json",
              Form.PLAIN,
              Encoding.JSON,
              ""),
          new Case(
              "application/json;as=PartialObjectMetadata" + META + ",application/json",
              Form.PLAIN,
              Encoding.JSON,
              ""),
          new Case(
              "application/json;as=PartialObjectMetadataList" + META,
              Form.METADATA_LIST,
              Encoding.JSON,
              "v1"));

  @ParameterizedTest
  @FieldSource("CASES")
  void chooses(Case c) {
    assertThat(Negotiation.choose(c.accept(), LIST, ENCODINGS))
        .isEqualTo(new Choice(c.form(), c.encoding(), c.version()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "application/vnd.kubernetes.protobuf",
        "application/json;q=0",
        "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
        "application/json;as=Table;g=other;v=v1"
      })
  void refusesWhatIsNotOffered(String accept) {
    assertThatThrownBy(() -> Negotiation.choose(accept, LIST, ENCODINGS))
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.is(Reason.NOT_ACCEPTABLE)).isTrue());
  }
}
