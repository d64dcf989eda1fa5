package dev.sluice.apiserver.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;

/** Request bodies as clients send them. */
final class ProtobufBodies {
  private ProtobufBodies() {}

  static byte[] body(String apiVersion, String kind, MessageLite message) {
    return ByteString.copyFromUtf8("k8s\0")
        .concat(
            Unknown.newBuilder()
                .setTypeMeta(TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
                .setRaw(message.toByteString())
                .build()
                .toByteString())
        .toByteArray();
  }
}
