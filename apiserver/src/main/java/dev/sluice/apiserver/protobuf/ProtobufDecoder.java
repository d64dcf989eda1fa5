package dev.sluice.apiserver.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.tree.Tree;
import io.kubernetes.client.proto.Runtime.Unknown;
import java.util.Arrays;

/**
 * The decoder of request bodies in Kubernetes' Protobuf encoding: four magic bytes, and an envelope
 * that names the kind and contains its message. Only built-in kinds have one.
 *
 * <p>The tree equals the one that the same client would have sent as JSON, with two exceptions:
 * null times are left out, and {@link ZeroValues} decides which zeros are. Fields that are newer
 * than our messages are lost.
 */
public final class ProtobufDecoder {
  public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";
  private static final int MAX_NESTING = 4;
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private ProtobufDecoder() {}

  /** The object in a body, with its apiVersion and kind. */
  public static Tree decode(byte[] body) {
    return decode(body, 0);
  }

  /** As {@link #decode(byte[])}, for a body that is nested in {@code nesting} others. */
  static Tree decode(byte[] body, int nesting) {
    if (nesting > MAX_NESTING) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST,
          "the Protobuf body holds objects nested more than " + MAX_NESTING + " levels deep");
    }
    if (!startsWithMagic(body)) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST,
          "the body is not Kubernetes' Protobuf: it does not start with \"k8s\" and a zero");
    }
    var envelope = new MessageFields(parse(Unknown.getDescriptor(), afterMagic(body)));
    var type = new MessageFields(envelope.message("typeMeta"));
    String apiVersion = type.text("apiVersion");
    String kind = type.text("kind");
    String encoding = envelope.text("contentEncoding");
    if (!encoding.isEmpty()) {
      throw unsupported("the content encoding \"" + encoding + "\"; send it without");
    }
    Descriptor message =
        Messages.find(apiVersion, kind)
            .orElseThrow(
                () -> unsupported("kind \"%s\" of \"%s\"; send JSON".formatted(kind, apiVersion)));
    Tree object = new MessageReader(nesting).read(parse(message, envelope.bytes("raw")));
    return object.with("apiVersion", apiVersion).with("kind", kind);
  }

  static boolean startsWithMagic(byte[] bytes) {
    return bytes.length >= MAGIC.length
        && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  static byte[] withMagic(byte[] envelope) {
    byte[] body = Arrays.copyOf(MAGIC, MAGIC.length + envelope.length);
    System.arraycopy(envelope, 0, body, MAGIC.length, envelope.length);
    return body;
  }

  private static ByteString afterMagic(byte[] body) {
    return ByteString.copyFrom(body, MAGIC.length, body.length - MAGIC.length);
  }

  /**
   * Parses by descriptor: the generated classes parse in a way that hostile input can slow down.
   */
  private static DynamicMessage parse(Descriptor message, ByteString raw) {
    try {
      return DynamicMessage.parseFrom(message, raw);
    } catch (InvalidProtocolBufferException malformed) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST,
          "the Protobuf body holds a malformed %s: %s"
              .formatted(message.getName(), malformed.getMessage()));
    }
  }

  private static ApiException unsupported(String what) {
    return ApiFailure.because(
        Reason.UNSUPPORTED_MEDIA_TYPE, "a Protobuf body is not taken here for " + what);
  }
}
