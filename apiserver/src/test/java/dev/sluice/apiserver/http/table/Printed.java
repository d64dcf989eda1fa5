package dev.sluice.apiserver.http.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.time.Instant;
import java.util.List;

/** Objects as a table shows them five minutes after they were made. */
final class Printed {
  static final String META = "metadata: {name: x, creationTimestamp: '2026-05-01T11:55:00Z'}\n";

  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");

  private Printed() {}

  /** An object, and the cells of its row. */
  record Case(String name, ResourceKind kind, String object, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Checks the row of an object of a built-in kind. */
  static void assertPrinted(Case c) {
    Tree table = table(builtIn(c.kind()), c.object());

    assertThat(cells(table)).isEqualTo(c.want());
    assertThat(table.trees("columnDefinitions"))
        .hasSize(table.trees("rows").getFirst().items("cells").size());
  }

  static ServedKind builtIn(ResourceKind kind) {
    return served(kind, true, List.of());
  }

  static ServedKind custom(ResourceKind kind, List<Column> columns) {
    return served(kind, false, columns);
  }

  private static ServedKind served(ResourceKind kind, boolean builtIn, List<Column> columns) {
    return new ServedKind(
        kind, "", List.of(), List.of(), List.of(), List.of(), builtIn, Schema.ANY, columns);
  }

  static Tree table(ServedKind kind, String yaml) {
    var object = ApiObject.of(Yaml.parseAll(yaml).getFirst());
    return Tables.of(
        kind,
        List.of(object),
        Tree.EMPTY,
        new Tables.Style(Tables.Include.METADATA, "v1"),
        true,
        NOW);
  }

  static String cells(Tree table) {
    List<String> cells =
        table.trees("rows").getFirst().items("cells").stream()
            .map(cell -> cell instanceof Value.Text(String text) ? text : cell.toString())
            .toList();
    return String.join("|", cells);
  }
}
