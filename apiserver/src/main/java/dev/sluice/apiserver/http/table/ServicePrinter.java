package dev.sluice.apiserver.http.table;

import static dev.sluice.apiserver.http.table.Printer.age;
import static dev.sluice.apiserver.http.table.Printer.ageOf;
import static dev.sluice.apiserver.http.table.Printer.name;
import static dev.sluice.apiserver.http.table.Printer.orNone;
import static dev.sluice.apiserver.http.table.Printer.row;
import static dev.sluice.apiserver.http.table.Printer.text;
import static dev.sluice.apiserver.http.table.Printer.wide;

import dev.sluice.model.ApiObject;
import dev.sluice.model.core.Service;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.stream.Collectors;

/** The printer of Services. */
final class ServicePrinter {
  static final Printer SERVICES =
      new SimplePrinters.Plain(
          List.of(
              name(),
              text("Type", "How it is reached."),
              text("Cluster-IP", "Its address in the cluster."),
              text("External-IP", "Its address or name outside of the cluster."),
              text("Port(s)", "Its ports."),
              age(),
              wide("Selector", "The labels of its pods.")),
          (o, now) ->
              row(
                  o.name(),
                  o.spec().text("type"),
                  orNone(new Service(o).address()),
                  orNone(o.spec().text("externalName")),
                  ports(o),
                  ageOf(o, now),
                  selector(o)));

  private ServicePrinter() {}

  private static String ports(ApiObject service) {
    return orNone(
        service.spec().trees("ports").stream()
            .map(ServicePrinter::port)
            .collect(Collectors.joining(",")));
  }

  private static String port(Tree port) {
    String node = port.whole("nodePort").stream().mapToObj(n -> ":" + n).findFirst().orElse("");
    return port.whole("port").orElse(0) + node + "/" + port.text("protocol");
  }

  private static String selector(ApiObject service) {
    return orNone(
        new Service(service)
            .selector().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(",")));
  }
}
