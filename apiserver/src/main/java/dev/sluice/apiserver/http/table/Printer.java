package dev.sluice.apiserver.http.table;

import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** The columns and rows of the objects of one kind. */
interface Printer {

  List<Column> columns();

  /** One cell for each column; ages are computed at {@code now}. */
  List<Value> cells(ApiObject object, Instant now);

  /** The conditions of a row, such as Completed for a pod. */
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

  /** A column of wide output only. */
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
