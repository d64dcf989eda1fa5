package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.protobuf.BuiltInSchemas;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.controllers.nodes.local.fields.FieldRules;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That the local node has decided on every field of a pod that the API server knows. */
class LocalNodeFieldsTest {
  private final FieldRules rules = new FieldRules(0, 0);
  private final List<String> seen = new ArrayList<>();
  private final List<String> undecided = new ArrayList<>();

  @Test
  void everyFieldOfAPodIsDecidedOn() {
    Schema pod = BuiltInSchemas.find("v1", "Pod").orElseThrow();

    walk("", pod.field("spec").orElseThrow());

    assertThat(undecided).isEmpty();
    assertThat(seen).contains("hostPID", "containers[].probe.grpc", "volumes[].nfs");
  }

  private void walk(String path, Schema schema) {
    schema.properties().forEach((name, field) -> look(FieldRules.below(path, name), field));
  }

  private void look(String path, Schema field) {
    seen.add(path);
    if (!rules.knows(path)) {
      undecided.add(path);
    } else if (!rules.decides(path)) {
      walk(path, field);
      field.items().ifPresent(items -> look(path + "[]", items));
    }
  }
}
