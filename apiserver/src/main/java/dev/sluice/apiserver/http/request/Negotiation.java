package dev.sluice.apiserver.http.request;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
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
    YAML("application/yaml");

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
    if (accept.isBlank()) {
      return Choice.JSON;
    }
    for (MediaRange range : MediaRange.parseAll(accept)) {
      Optional<Encoding> encoding = encoding(range.type(), encodings);
      Optional<Form> form = form(range, forms);
      if (encoding.isPresent() && form.isPresent()) {
        boolean plain = form.get() == Form.PLAIN;
        return new Choice(form.get(), encoding.get(), plain ? "" : range.parameter("v"));
      }
    }
    List<String> types = encodings.stream().map(Encoding::type).sorted().toList();
    throw ApiFailure.because(
        Reason.NOT_ACCEPTABLE,
        "only the following media types are accepted: " + String.join(", ", types));
  }

  private static Optional<Encoding> encoding(String type, Set<Encoding> offered) {
    if (type.equals("*/*") || type.equals("application/*")) {
      return Optional.of(Encoding.JSON);
    }
    return offered.stream().filter(encoding -> encoding.type().equals(type)).findFirst();
  }

  private static Optional<Form> form(MediaRange range, Set<Form> offered) {
    String kind = range.parameter("as");
    if (kind.isEmpty()) {
      return Optional.of(Form.PLAIN);
    }
    return offered.stream()
        .filter(form -> form.kind.equals(kind) && form.group.equals(range.parameter("g")))
        .filter(form -> form.speaks(range.parameter("v")))
        .findFirst();
  }
}
