package dev.sluice.apiserver.deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ApiException;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.TimeSource;
import dev.sluice.runtime.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlineTest {
  private static final TimeSource TIME = new VirtualTime(Instant.EPOCH);
  private static final Schema SCHEMA =
      Schema.customResource(
          Yaml.parseAll("{type: object, properties: {x: {type: string, pattern: '(a?){90}b'}}}")
              .getFirst()
              .asTree());

  @Test
  void requestPastItsDeadlineIsStoppedInsideAPattern() {
    Tree object = Tree.of("x", "a".repeat(100_000));

    assertThatThrownBy(
            () -> Deadline.within(TIME, Duration.ofNanos(-1), () -> SCHEMA.validate(object)))
        .isInstanceOfSatisfying(
            ApiException.class,
            late -> assertThat(late.failure().status().whole("code")).hasValue(504));
  }

  @Test
  void requestInTimeIsNotDisturbed() {
    Tree object = Tree.of("x", "aab");

    assertThat(Deadline.within(TIME, Duration.ofMinutes(1), () -> SCHEMA.validate(object)))
        .isEqualTo(List.of());
  }
}
