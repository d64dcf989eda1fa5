package dev.sluice.apiserver.http.request;

import dev.sluice.apiserver.http.request.Negotiation.Choice;
import dev.sluice.apiserver.http.request.Negotiation.Encoding;
import dev.sluice.apiserver.http.request.Negotiation.Form;
import dev.sluice.apiserver.http.table.Tables;
import dev.sluice.apiserver.registry.Registry;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.runtime.TimeSource;
import java.util.EnumSet;
import java.util.Set;

/** The representations that requests ask for. */
public record Representations(Registry registry, TimeSource time) {
  private static final Set<Form> METADATA = EnumSet.of(Form.METADATA, Form.METADATA_LIST);

  public Representation ofOne(ResourceRequest operation) {
    return of(operation, EnumSet.of(Form.PLAIN, Form.TABLE, Form.METADATA), Encoding.TEXTS);
  }

  public Representation ofList(ResourceRequest operation) {
    return of(operation, EnumSet.of(Form.PLAIN, Form.TABLE, Form.METADATA_LIST), Encoding.TEXTS);
  }

  /** The representation of a watch: not YAML, since a stream of it has no end of document. */
  public Representation ofWatch(ResourceRequest operation) {
    return of(
        operation, EnumSet.of(Form.PLAIN, Form.TABLE, Form.METADATA), EnumSet.of(Encoding.JSON));
  }

  private Representation of(ResourceRequest operation, Set<Form> forms, Set<Encoding> encodings) {
    var binary = EnumSet.copyOf(METADATA);
    if (operation.kind().builtIn()) {
      binary.add(Form.PLAIN);
    }
    binary.retainAll(forms);
    Choice choice = Negotiation.choose(operation.accept(), forms, encodings, binary);
    var style = new Tables.Style(include(operation.call().query()), choice.version());
    return new Representation(registry, operation.kind(), choice, style, time);
  }

  private static Tables.Include include(Query query) {
    String said = query.text("includeObject");
    return switch (said) {
      case "", "Metadata" -> Tables.Include.METADATA;
      case "None" -> Tables.Include.NONE;
      case "Object" -> Tables.Include.OBJECT;
      default ->
          throw ApiFailure.because(
              Reason.BAD_REQUEST,
              "includeObject must be None, Metadata or Object, not \"%s\"".formatted(said));
    };
  }
}
