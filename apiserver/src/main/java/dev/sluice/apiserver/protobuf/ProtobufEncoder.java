package dev.sluice.apiserver.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import dev.sluice.model.tree.Tree;
import io.kubernetes.client.proto.Meta.WatchEvent;
import io.kubernetes.client.proto.Runtime.RawExtension;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import java.nio.ByteBuffer;

/**
 * The encoder of responses in Kubernetes' Protobuf encoding, see {@link ProtobufDecoder}, for
 * clients that accept no text.
 */
public final class ProtobufEncoder {
  private ProtobufEncoder() {}

  /** Whether there is a message for objects of a kind, or for lists of them. */
  public static boolean knows(String apiVersion, String kind) {
    return Messages.find(apiVersion, kind).isPresent();
  }

  /**
   * An object or a list.
   *
   * @throws IllegalArgumentException if there is no message for its kind
   */
  public static byte[] encode(Tree object) {
    String apiVersion = object.text("apiVersion");
    String kind = object.text("kind");
    Descriptor message =
        Messages.find(apiVersion, kind)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "there is no Protobuf message for %s of %s".formatted(kind, apiVersion)));
    var envelope =
        Unknown.newBuilder()
            .setTypeMeta(TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
            .setRaw(MessageWriter.write(message, object).toByteString())
            .build();
    return ProtobufDecoder.withMagic(envelope.toByteArray());
  }

  /** An event of a watch: its length in four bytes, then the event. */
  public static byte[] frame(String type, Tree object) {
    byte[] event =
        WatchEvent.newBuilder()
            .setType(type)
            .setObject(RawExtension.newBuilder().setRaw(ByteString.copyFrom(encode(object))))
            .build()
            .toByteArray();
    return ByteBuffer.allocate(Integer.BYTES + event.length)
        .putInt(event.length)
        .put(event)
        .array();
  }
}
