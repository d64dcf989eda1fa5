package dev.sluice.apiserver.http;

import dev.sluice.apiserver.http.request.MediaRange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/** Compression of large responses for clients that accept it. */
final class Compression {
  private static final int WORTHWHILE_BYTES = 128 * 1024;

  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(ByteArrayOutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  private Compression() {}

  /** The body to send; the headers name its encoding. */
  static byte[] apply(byte[] body, Request request, Response response) throws IOException {
    boolean wanted =
        request.getHeaders().getValuesList(HttpHeader.ACCEPT_ENCODING).stream()
            .anyMatch(encoding -> MediaRange.parse(encoding).type().equals("gzip"));
    if (!wanted || body.length <= WORTHWHILE_BYTES) {
      return body;
    }
    response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
    response.getHeaders().add(HttpHeader.VARY, "Accept-Encoding");
    var compressed = new ByteArrayOutputStream();
    try (var gzip = new FastGzip(compressed)) {
      gzip.write(body);
    }
    return compressed.toByteArray();
  }
}
