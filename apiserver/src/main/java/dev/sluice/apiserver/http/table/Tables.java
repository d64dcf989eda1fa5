package dev.sluice.apiserver.http.table;

import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The Table of meta.k8s.io, which a client can print without knowing the kind. */
public final class Tables {

  /** The part of each object that is included in its row. */
  public enum Include {
    NONE,
    METADATA,
    OBJECT
  }

  /**
   * The options of a table.
   *
   * @param version the version of meta.k8s.io
   */
  public record Style(Include include, String version) {}

  private Tables() {}

  /**
   * The table of objects of one kind.
   *
   * @param metadata of the list, or of the table of a single object
   * @param headed whether it has column definitions, which a watch sends only once
   */
  public static Tree of(
      ServedKind kind,
      List<ApiObject> objects,
      Tree metadata,
      Style style,
      boolean headed,
      Instant now) {
    Printer printer = printer(kind);
    var rows = new ArrayList<Tree>();
    for (ApiObject object : objects) {
      rows.add(row(printer, object, style, now));
    }
    return Tree.of(
        "kind",
        "Table",
        "apiVersion",
        "meta.k8s.io/" + style.version(),
        "metadata",
        metadata,
        "columnDefinitions",
        headed
            ? Items.of(printer.columns().stream().map(Tables::definition).toList())
            : Value.Null.NULL,
        "rows",
        Items.of(rows));
  }

  /** The metadata of an object, as a PartialObjectMetadata. */
  public static Tree metadataOf(ApiObject object, String version) {
    return Tree.of(
        "kind",
        "PartialObjectMetadata",
        "apiVersion",
        "meta.k8s.io/" + version,
        "metadata",
        object.metadata());
  }

  private static Tree row(Printer printer, ApiObject object, Style style, Instant now) {
    Value included =
        switch (style.include()) {
          case NONE -> Value.Null.NULL;
          case METADATA -> metadataOf(object, style.version());
          case OBJECT -> object.tree();
        };
    Tree row = Tree.of("cells", Items.of(printer.cells(object, now)), "object", included);
    List<Tree> conditions = printer.conditions(object);
    return conditions.isEmpty() ? row : row.with("conditions", Items.of(conditions));
  }

  private static Tree definition(Column column) {
    return Tree.of(
        "name",
        column.name(),
        "type",
        column.type(),
        "format",
        column.format(),
        "description",
        column.description(),
        "priority",
        column.priority());
  }

  private static Printer printer(ServedKind kind) {
    if (!kind.builtIn()) {
      return new CustomPrinter(kind.columns());
    }
    return switch (kind.kind().qualifiedPlural()) {
      case "pods" -> new PodPrinter();
      case "nodes" -> new NodePrinter();
      case "cronjobs.batch" -> new CronJobPrinter();
      case "jobs.batch" -> new JobPrinter();
      case "poddisruptionbudgets.policy" -> new DisruptionBudgetPrinter();
      case "events", "events.events.k8s.io" -> new EventPrinter();
      case "resourcequotas" -> SimplePrinters.RESOURCE_QUOTAS;
      case "namespaces" -> SimplePrinters.NAMESPACES;
      case "configmaps" -> SimplePrinters.CONFIG_MAPS;
      case "secrets" -> SimplePrinters.SECRETS;
      case "serviceaccounts" -> SimplePrinters.SERVICE_ACCOUNTS;
      case "services" -> ServicePrinter.SERVICES;
      case "leases.coordination.k8s.io" -> SimplePrinters.LEASES;
      case "runtimeclasses.node.k8s.io" -> SimplePrinters.RUNTIME_CLASSES;
      case "persistentvolumeclaims" -> VolumePrinters.CLAIMS;
      case "persistentvolumes" -> VolumePrinters.VOLUMES;
      case "storageclasses.storage.k8s.io" -> VolumePrinters.CLASSES;
      case "priorityclasses.scheduling.k8s.io" -> SimplePrinters.PRIORITY_CLASSES;
      default -> SimplePrinters.CREATED_AT;
    };
  }
}
