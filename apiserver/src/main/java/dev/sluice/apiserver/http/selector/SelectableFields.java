package dev.sluice.apiserver.http.selector;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.stream.Stream;

/**
 * The fields of a kind that field selectors support: name and namespace for all kinds, and a few
 * more for some.
 */
public record SelectableFields(ResourceKind kind, List<String> names) {
  private static final List<String> OF_ALL = List.of("metadata.name", "metadata.namespace");

  public SelectableFields {
    names = List.copyOf(names);
  }

  /** The fields of a built-in kind. */
  public static SelectableFields ofBuiltIn(ResourceKind kind) {
    return of(kind, known(kind.qualifiedPlural()));
  }

  /**
   * The fields of a kind whose definition declares some; {@code declared} are paths without a dot.
   */
  public static SelectableFields of(ResourceKind kind, List<String> declared) {
    return new SelectableFields(kind, Stream.concat(OF_ALL.stream(), declared.stream()).toList());
  }

  private static List<String> known(String plural) {
    return switch (plural) {
      case "pods" ->
          List.of(
              "spec.nodeName",
              "spec.host",
              "spec.restartPolicy",
              "spec.schedulerName",
              "spec.serviceAccountName",
              "spec.hostNetwork",
              "status.phase",
              "status.podIP",
              "status.podIPs",
              "status.nominatedNodeName");
      case "events" ->
          List.of(
              "involvedObject.kind",
              "involvedObject.namespace",
              "involvedObject.name",
              "involvedObject.uid",
              "involvedObject.apiVersion",
              "involvedObject.resourceVersion",
              "involvedObject.fieldPath",
              "reason",
              "reportingComponent",
              "source",
              "type");
      case "events.events.k8s.io" ->
          List.of(
              "regarding.kind",
              "regarding.namespace",
              "regarding.name",
              "regarding.uid",
              "regarding.apiVersion",
              "regarding.resourceVersion",
              "regarding.fieldPath",
              "reason",
              "reportingController",
              "type");
      case "nodes" -> List.of("spec.unschedulable");
      case "namespaces" -> List.of("status.phase");
      case "secrets" -> List.of("type");
      case "services" -> List.of("spec.clusterIP", "spec.type");
      case "jobs.batch" -> List.of("status.successful");
      default -> List.of();
    };
  }

  void check(String field) {
    if (!names.contains(field)) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST,
          "field label not supported: %s; %s can be selected by %s"
              .formatted(field, kind.qualifiedPlural(), String.join(", ", names)));
    }
  }

  String read(ApiObject object, String field) {
    Tree tree = object.tree();
    return switch (field) {
      case "spec.host" -> tree.text("spec", "nodeName");
      case "spec.unschedulable", "spec.hostNetwork" -> {
        String name = field.substring("spec.".length());
        yield Boolean.toString(tree.flag("spec", name));
      }
      case "status.podIPs" ->
          String.join(",", tree.trees("status", "podIPs").stream().map(a -> a.text("ip")).toList());
      case "status.successful" -> Long.toString(tree.whole("status", "succeeded").orElse(0));
      case "source" -> {
        String component = tree.text("source", "component");
        yield component.isEmpty() ? tree.text("reportingComponent") : component;
      }
      default -> scalar(tree.at(field.split("\\.", -1)));
    };
  }

  private static String scalar(Value value) {
    return switch (value) {
      case Value.Text(String text) -> text;
      case Value.Whole _, Value.Decimal _, Value.Flag _ -> value.toString();
      case Value.Null _, Value.Container _ -> "";
    };
  }
}
