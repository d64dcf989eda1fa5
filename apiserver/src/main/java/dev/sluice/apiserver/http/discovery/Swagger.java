package dev.sluice.apiserver.http.discovery;

import com.google.protobuf.CodedOutputStream;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The OpenAPI v2 document, for clients that still request it: one for all served kinds.
 *
 * <p>It contains the schemas of kinds, not the paths. In protobuf it contains neither: kubectl, the
 * one client that requests this form, fetches it before it reads a List, and leaves the validation
 * of undescribed kinds to the server.
 */
public final class Swagger {
  public static final String PROTOBUF =
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  private static final String VERSION = "2.0";
  private static final int VERSION_FIELD = 1;
  private static final int INFO_FIELD = 2;
  private static final int TITLE_FIELD = 1;
  private static final int RELEASE_FIELD = 2;

  private Swagger() {}

  /** Whether a client requests protobuf, by the new or the old name of the media type. */
  public static boolean isProtobuf(String accept) {
    return accept.replace('@', '.').contains(PROTOBUF);
  }

  public static byte[] json(ApiGroups groups) {
    Map<String, Tree> definitions = new TreeMap<>();
    for (ApiGroups.Version version : groups.versions()) {
      Tree schemas = OpenApiDocument.of(version).tree("components", "schemas");
      schemas.forEach((name, schema) -> definitions.put(name, schema.asTree()));
    }
    return Json.bytes(
        Tree.of("swagger", VERSION, "info", OpenApiDocument.INFO)
            .with("paths", Tree.EMPTY)
            .with("definitions", Tree.of(definitions)));
  }

  public static byte[] protobuf() {
    var info = new ByteArrayOutputStream();
    var document = new ByteArrayOutputStream();
    try {
      var inner = CodedOutputStream.newInstance(info);
      inner.writeString(TITLE_FIELD, OpenApiDocument.INFO.text("title"));
      inner.writeString(RELEASE_FIELD, OpenApiDocument.INFO.text("version"));
      inner.flush();
      var outer = CodedOutputStream.newInstance(document);
      outer.writeString(VERSION_FIELD, VERSION);
      outer.writeByteArray(INFO_FIELD, info.toByteArray());
      outer.flush();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return document.toByteArray();
  }
}
