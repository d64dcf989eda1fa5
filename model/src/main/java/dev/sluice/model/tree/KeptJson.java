package dev.sluice.model.tree;

import com.fasterxml.jackson.core.SerializableString;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * JSON that was written before, which Jackson copies as it is. It supports nothing but copying: the
 * generator calls nothing else where a raw value is written to bytes.
 */
@SuppressWarnings("ArrayRecordComponent") // it is only passed on to the generator
record KeptJson(byte[] json) implements SerializableString {

  @Override
  public int appendUnquotedUTF8(byte[] buffer, int offset) {
    if (offset + json.length > buffer.length) {
      return -1;
    }
    System.arraycopy(json, 0, buffer, offset, json.length);
    return json.length;
  }

  @Override
  public byte[] asUnquotedUTF8() {
    return json;
  }

  @Override
  public String getValue() {
    throw neverAsked();
  }

  @Override
  public int charLength() {
    throw neverAsked();
  }

  @Override
  public char[] asQuotedChars() {
    throw neverAsked();
  }

  @Override
  public byte[] asQuotedUTF8() {
    throw neverAsked();
  }

  @Override
  public int appendQuotedUTF8(byte[] buffer, int offset) {
    throw neverAsked();
  }

  @Override
  public int appendQuoted(char[] buffer, int offset) {
    throw neverAsked();
  }

  @Override
  public int appendUnquoted(char[] buffer, int offset) {
    throw neverAsked();
  }

  @Override
  public int writeQuotedUTF8(OutputStream out) {
    throw neverAsked();
  }

  @Override
  public int writeUnquotedUTF8(OutputStream out) {
    throw neverAsked();
  }

  @Override
  public int putQuotedUTF8(ByteBuffer buffer) {
    throw neverAsked();
  }

  @Override
  public int putUnquotedUTF8(ByteBuffer buffer) {
    throw neverAsked();
  }

  private static UnsupportedOperationException neverAsked() {
    return new UnsupportedOperationException("kept JSON is only copied");
  }
}
