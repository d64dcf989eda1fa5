package dev.sluice.apiserver.http.request;

import dev.sluice.apiserver.http.request.Negotiation.Choice;
import dev.sluice.apiserver.protobuf.ProtobufEncoder;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;

/** The encoder of response bodies. */
public final class ResponseEncoder {
  private ResponseEncoder() {}

  public static ApiResponse.Whole whole(int code, Value value, Choice choice, ApiRequest call) {
    return new ApiResponse.Whole(
        code, choice.contentType(), bytes(value, choice, call.wantsPretty()), List.of());
  }

  /**
   * An object of a kind of its own, such as a Status or a Scale: in JSON, or in Protobuf for
   * clients that accept nothing else.
   */
  public static ApiResponse.Whole plain(int code, Tree object, ApiRequest call) {
    boolean known = ProtobufEncoder.knows(object.text("apiVersion"), object.text("kind"));
    Choice choice = known ? Negotiation.plain(call.header(HttpHeader.ACCEPT)) : Choice.JSON;
    return whole(code, object, choice, call);
  }

  private static byte[] bytes(Value value, Choice choice, boolean pretty) {
    return switch (choice.encoding()) {
      case JSON ->
          pretty
              ? (Json.writePretty(value) + "\n").getBytes(StandardCharsets.UTF_8)
              : Json.bytes(value);
      case YAML -> Yaml.write(value).getBytes(StandardCharsets.UTF_8);
      case PROTOBUF -> ProtobufEncoder.encode(value.asTree());
    };
  }
}
