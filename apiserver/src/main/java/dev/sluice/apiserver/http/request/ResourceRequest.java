package dev.sluice.apiserver.http.request;

import dev.sluice.apiserver.registry.WriteOptions;
import dev.sluice.apiserver.registry.WriteOptions.FieldValidation;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.apiserver.security.Authorizer;
import dev.sluice.apiserver.security.User;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ResourceKind;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;

/** One authorized request about objects of a kind. */
public record ResourceRequest(
    Verb verb, ApiRequest call, ServedKind kind, RequestPath.Objects target, User user) {

  public String namespace() {
    return target.namespace();
  }

  public String name() {
    return target.name();
  }

  String accept() {
    return call.header(HttpHeader.ACCEPT);
  }

  /** The access that a verb on the same object needs. */
  public Authorizer.Access access(Verb wanted) {
    return new Authorizer.Access(
        wanted.word(),
        target.group(),
        target.plural(),
        target.subresource(),
        target.namespace(),
        target.name());
  }

  public WriteOptions writeOptions() {
    return new WriteOptions(dryRun(), fieldValidation(), call::warn, FieldManagers.of(this));
  }

  /** Whether it is a dry run. */
  public boolean dryRun() {
    List<String> said = call.query().all("dryRun").stream().filter(v -> !v.isEmpty()).toList();
    for (String value : said) {
      if (!value.equals("All")) {
        throw invalid(List.of(Cause.notSupported("dryRun", value, List.of("All"))));
      }
    }
    return !said.isEmpty();
  }

  private FieldValidation fieldValidation() {
    String said = call.query().text("fieldValidation");
    return switch (said) {
      case "", "Warn" -> FieldValidation.WARN;
      case "Strict" -> FieldValidation.STRICT;
      case "Ignore" -> FieldValidation.IGNORE;
      default ->
          throw invalid(
              List.of(
                  Cause.notSupported(
                      "fieldValidation", said, List.of("Ignore", "Strict", "Warn"))));
    };
  }

  /** The error for invalid options of a request. */
  RuntimeException invalid(List<Cause> causes) {
    String options =
        switch (verb) {
          case CREATE -> "CreateOptions";
          case UPDATE -> "UpdateOptions";
          case PATCH -> "PatchOptions";
          case DELETE, DELETE_COLLECTION -> "DeleteOptions";
          case GET, LIST, WATCH -> "ListOptions";
        };
    var kindOfOptions = new ResourceKind("meta.k8s.io", "v1", options, "", false);
    return ApiFailure.invalid(kindOfOptions, "", causes);
  }
}
