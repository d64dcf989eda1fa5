package dev.sluice.apiserver.http.request;

import dev.sluice.apiserver.protobuf.ProtobufDecoder;
import dev.sluice.apiserver.registry.WriteOptions;
import dev.sluice.apiserver.registry.kind.Scaling;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;

/** The parser of request bodies. */
public final class Bodies {
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";

  private Bodies() {}

  /** The object in a body, in any encoding that the kind accepts. */
  public static Tree object(ResourceRequest operation, WriteOptions options) {
    ApiRequest call = operation.call();
    // A Scale is of a built-in kind whatever it scales.
    boolean protobuf =
        operation.kind().builtIn() || operation.target().subresource().equals(Scaling.SUBRESOURCE);
    Value value = value(call.body(), call, protobuf, options);
    if (value instanceof Tree tree) {
      return tree;
    }
    throw ApiFailure.because(
        Reason.BAD_REQUEST, "the body must be an object with apiVersion and kind, but is " + value);
  }

  /** The options in the body of a delete, empty if there is no body. */
  public static Tree deleteOptions(ApiRequest call) {
    byte[] body = call.body();
    return body.length == 0 ? Tree.EMPTY : value(body, call, true, WriteOptions.INTERNAL).asTree();
  }

  private static Value value(byte[] body, ApiRequest call, boolean protobuf, WriteOptions options) {
    String type = MediaRange.parse(call.header(HttpHeader.CONTENT_TYPE)).type();
    if (protobuf && type.equals(ProtobufDecoder.MEDIA_TYPE)) {
      return Surrogates.requirePairs(ProtobufDecoder.decode(body));
    }
    return switch (type) {
      case "", JSON -> json(body, options);
      case YAML -> yaml(body);
      default -> throw unsupported(type, protobuf);
    };
  }

  /** The body of a patch, which is JSON whatever its content type. */
  static Value patch(ApiRequest call, WriteOptions options) {
    return json(call.body(), options);
  }

  /** The configuration to apply: YAML or JSON without duplicate names. */
  public static Tree configuration(ApiRequest call) {
    try {
      List<Value> documents = Yaml.parseAll(new String(call.body(), StandardCharsets.UTF_8));
      if (documents.size() == 1 && documents.getFirst() instanceof Tree configuration) {
        return Surrogates.requirePairs(configuration).asTree();
      }
      throw ApiFailure.because(
          Reason.BAD_REQUEST,
          "error decoding YAML: the body must be one object with apiVersion and kind");
    } catch (MalformedText malformed) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST, "error decoding YAML: " + malformed.getMessage());
    }
  }

  private static Value json(byte[] body, WriteOptions options) {
    List<String> duplicates = new ArrayList<>();
    Value value;
    try {
      value = Json.parse(body, duplicates::add);
    } catch (MalformedText malformed) {
      throw malformed("JSON", malformed);
    }
    List<String> problems =
        duplicates.stream().map(path -> "duplicate field \"" + path + "\"").toList();
    switch (options.fieldValidation()) {
      case STRICT -> {
        if (!problems.isEmpty()) {
          throw ApiFailure.because(
              Reason.BAD_REQUEST, "strict decoding error: " + String.join(", ", problems));
        }
      }
      case WARN -> problems.forEach(options.warnings());
      case IGNORE -> {}
    }
    return Surrogates.requirePairs(value);
  }

  private static Value yaml(byte[] body) {
    try {
      List<Value> documents = Yaml.parseAll(new String(body, StandardCharsets.UTF_8));
      if (documents.size() != 1) {
        throw ApiFailure.because(
            Reason.BAD_REQUEST,
            "the body must be one YAML document, but there are " + documents.size());
      }
      return Surrogates.requirePairs(documents.getFirst());
    } catch (MalformedText malformed) {
      throw malformed("YAML", malformed);
    }
  }

  private static RuntimeException malformed(String what, MalformedText malformed) {
    return ApiFailure.because(
        Reason.BAD_REQUEST, "the body is not %s: %s".formatted(what, malformed.getMessage()));
  }

  private static RuntimeException unsupported(String type, boolean protobuf) {
    String taken = JSON + ", " + YAML + (protobuf ? ", " + ProtobufDecoder.MEDIA_TYPE : "");
    return ApiFailure.because(
        Reason.UNSUPPORTED_MEDIA_TYPE,
        "the body of the request was in an unknown format: \"%s\"; accepted media types include: %s"
            .formatted(type, taken));
  }
}
