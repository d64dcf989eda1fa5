package dev.sluice.apiserver.http.table;

import static dev.sluice.apiserver.http.table.Printer.ageOf;
import static dev.sluice.apiserver.http.table.Printer.name;
import static dev.sluice.apiserver.http.table.Printer.orNone;
import static dev.sluice.apiserver.http.table.Printer.text;
import static dev.sluice.apiserver.http.table.Printer.wide;

import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;

/** Rows of nodes. */
final class NodePrinter implements Printer {
  private static final String ROLE_PREFIX = "node-role.kubernetes.io/";
  private static final String ROLE = "kubernetes.io/role";

  @Override
  public List<Column> columns() {
    return List.of(
        name(),
        text("Status", "Whether the node is ready, and whether it takes new pods."),
        text("Roles", "What the node is for."),
        Printer.age(),
        text("Version", "The version of its kubelet."),
        wide("Internal-IP", "Its address in the cluster."),
        wide("External-IP", "Its address outside of the cluster."),
        wide("OS-Image", "Its operating system."),
        wide("Kernel-Version", "Its kernel."),
        wide("Container-Runtime", "What runs its containers."));
  }

  @Override
  public List<Value> cells(ApiObject node, Instant now) {
    Tree about = node.status().tree("nodeInfo");
    return Printer.row(
        node.name(),
        status(node),
        roles(node),
        ageOf(node, now),
        about.text("kubeletVersion"),
        address(node, "InternalIP"),
        address(node, "ExternalIP"),
        orUnknown(about.text("osImage")),
        orUnknown(about.text("kernelVersion")),
        orUnknown(about.text("containerRuntimeVersion")));
  }

  private static String status(ApiObject node) {
    String ready =
        Condition.find(node.status(), "Ready")
            .map(condition -> condition.text("status").equals("True") ? "Ready" : "NotReady")
            .orElse("Unknown");
    return node.spec().flag("unschedulable") ? ready + ",SchedulingDisabled" : ready;
  }

  private static String roles(ApiObject node) {
    var roles = new TreeSet<String>();
    node.labels()
        .forEach((label, value) -> {
          if (label.startsWith(ROLE_PREFIX) && label.length() > ROLE_PREFIX.length()) {
            roles.add(label.substring(ROLE_PREFIX.length()));
          } else if (label.equals(ROLE) && !value.isEmpty()) {
            roles.add(value);
          }
        });
    return orNone(String.join(",", roles));
  }

  private static String address(ApiObject node, String type) {
    return node.status().trees("addresses").stream()
        .filter(address -> address.text("type").equals(type))
        .map(address -> address.text("address"))
        .findFirst()
        .orElse("<none>");
  }

  private static String orUnknown(String text) {
    return text.isEmpty() ? "<unknown>" : text;
  }
}
