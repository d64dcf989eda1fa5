package dev.sluice.apiserver.http.table;

import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** How the objects of one kind become rows. */
interface Printer {

  List<Column> columns();

  /** One cell for each column; {@code now} is what ages are counted to. */
  List<Value> cells(ApiObject object, Instant now);

  /** What holds for the whole row, such as that a pod has completed. */
  default List<Tree> conditions(ApiObject object) {
    return List.of();
  }

  /** The first column of nearly every table. */
  static Column name() {
    return new Column("Name", "string", "name", "The name of the object.", 0, "");
  }

  static Column text(String name, String description) {
    return new Column(name, "string", "", description, 0, "");
  }

  /** Shown in wide output only. */
  static Column wide(String name, String description) {
    return new Column(name, "string", "", description, 1, "");
  }

  static Column age() {
    return text("Age", "How long ago the object was created.");
  }

  static String ageOf(ApiObject object, Instant now) {
    return Ages.since(object.created(), now);
  }

  static List<Value> row(Object... cells) {
    return Arrays.stream(cells).map(cell -> Value.of(cell)).toList();
  }

  static String orNone(String text) {
    return text.isEmpty() ? "<none>" : text;
  }
}
