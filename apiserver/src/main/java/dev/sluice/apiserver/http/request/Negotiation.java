package dev.sluice.apiserver.http.request;

import dev.sluice.apiserver.protobuf.ProtobufDecoder;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The negotiation of the form and the encoding of a response. */
public final class Negotiation {

  /** The content of a response. */
  public enum Form {
    /** The object or list itself. */
    PLAIN("", ""),
    TABLE("Table", "meta.k8s.io"),
    METADATA("PartialObjectMetadata", "meta.k8s.io"),
    METADATA_LIST("PartialObjectMetadataList", "meta.k8s.io"),
    DISCOVERY("APIGroupDiscoveryList", "apidiscovery.k8s.io");

    private final String kind;
    private final String group;

    Form(String kind, String group) {
      this.kind = kind;
      this.group = group;
    }

    private boolean speaks(String version) {
      return switch (this) {
        case PLAIN -> true;
        case TABLE, METADATA, METADATA_LIST -> version.equals("v1") || version.equals("v1beta1");
        case DISCOVERY -> version.equals("v2");
      };
    }
  }

  /** The encoding of a response. */
  public enum Encoding {
    JSON("application/json"),
    YAML("application/yaml"),
    /** Only for clients that accept no text. */
    PROTOBUF(ProtobufDecoder.MEDIA_TYPE);

    /** The encodings of every kind. */
    public static final Set<Encoding> TEXTS = Collections.unmodifiableSet(EnumSet.of(JSON, YAML));

    private final String type;

    Encoding(String type) {
      this.type = type;
    }

    public String type() {
      return type;
    }
  }

  /**
   * The negotiated form and encoding.
   *
   * @param version the version of the form's group, empty for {@link Form#PLAIN}
   */
  public record Choice(Form form, Encoding encoding, String version) {
    public static final Choice JSON = new Choice(Form.PLAIN, Encoding.JSON, "");

    public String contentType() {
      return form == Form.DISCOVERY
          ? "%s;g=%s;v=%s;as=%s".formatted(encoding.type(), form.group, version, form.kind)
          : encoding.type();
    }
  }

  private Negotiation() {}

  /** The most preferred form and encoding that are offered; an error if there is none. */
  public static Choice choose(String accept, Set<Form> forms, Set<Encoding> encodings) {
    return choose(accept, forms, encodings, Set.of());
  }

  /**
   * The same for content that has a Protobuf message in some forms.
   *
   * @param binary the forms with a message
   */
  static Choice choose(String accept, Set<Form> forms, Set<Encoding> encodings, Set<Form> binary) {
    if (accept.isBlank()) {
      return Choice.JSON;
    }
    List<MediaRange> ranges = MediaRange.parseAll(accept);
    return choose(ranges, forms, encodings)
        .or(() -> choose(ranges, binary, Set.of(Encoding.PROTOBUF)))
        .orElseThrow(() -> notAcceptable(encodings, binary));
  }

  /**
   * The encoding of a Status or of another answer whose kind has nothing to do with the request.
   */
  static Choice plain(String accept) {
    List<MediaRange> ranges = MediaRange.parseAll(accept);
    Set<Form> plain = EnumSet.of(Form.PLAIN);
    return choose(ranges, plain, Encoding.TEXTS).isPresent()
        ? Choice.JSON
        : choose(ranges, plain, Set.of(Encoding.PROTOBUF)).orElse(Choice.JSON);
  }

  private static Optional<Choice> choose(
      List<MediaRange> ranges, Set<Form> forms, Set<Encoding> encodings) {
    for (MediaRange range : ranges) {
      Optional<Encoding> encoding = encoding(range.type(), encodings);
      Optional<Form> form = form(range, forms);
      if (encoding.isPresent() && form.isPresent()) {
        boolean plain = form.get() == Form.PLAIN;
        return Optional.of(
            new Choice(form.get(), encoding.get(), plain ? "" : range.parameter("v")));
      }
    }
    return Optional.empty();
  }

  private static ApiException notAcceptable(Set<Encoding> encodings, Set<Form> binary) {
    var all = EnumSet.copyOf(encodings);
    if (binary.contains(Form.PLAIN)) {
      all.add(Encoding.PROTOBUF);
    }
    List<String> types = all.stream().map(Encoding::type).sorted().toList();
    return ApiFailure.because(
        Reason.NOT_ACCEPTABLE,
        "only the following media types are accepted: " + String.join(", ", types));
  }

  private static Optional<Encoding> encoding(String type, Set<Encoding> offered) {
    if (type.equals("*/*") || type.equals("application/*")) {
      return Optional.of(Encoding.JSON).filter(offered::contains);
    }
    return offered.stream().filter(encoding -> encoding.type().equals(type)).findFirst();
  }

  private static Optional<Form> form(MediaRange range, Set<Form> offered) {
    String kind = range.parameter("as");
    if (kind.isEmpty()) {
      return Optional.of(Form.PLAIN).filter(offered::contains);
    }
    return offered.stream()
        .filter(form -> form.kind.equals(kind) && form.group.equals(range.parameter("g")))
        .filter(form -> form.speaks(range.parameter("v")))
        .findFirst();
  }
}
