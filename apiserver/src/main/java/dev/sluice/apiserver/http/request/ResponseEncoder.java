package dev.sluice.apiserver.http.request;

import dev.sluice.apiserver.http.request.Negotiation.Choice;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The encoder of response bodies. */
public final class ResponseEncoder {
  private ResponseEncoder() {}

  public static ApiResponse.Whole whole(int code, Value value, Choice choice, ApiRequest call) {
    return new ApiResponse.Whole(
        code, choice.contentType(), bytes(value, choice, call.wantsPretty()), List.of());
  }

  private static byte[] bytes(Value value, Choice choice, boolean pretty) {
    return switch (choice.encoding()) {
      case JSON ->
          pretty
              ? (Json.writePretty(value) + "\n").getBytes(StandardCharsets.UTF_8)
              : Json.bytes(value);
      case YAML -> Yaml.write(value).getBytes(StandardCharsets.UTF_8);
    };
  }
}
