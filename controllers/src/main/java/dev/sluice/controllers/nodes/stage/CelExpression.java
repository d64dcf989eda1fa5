package dev.sluice.controllers.nodes.stage;

import dev.sluice.controllers.nodes.cel.CelFailedException;
import dev.sluice.controllers.nodes.cel.CelLanguage;
import dev.sluice.controllers.nodes.cel.CelProgram;
import dev.sluice.controllers.nodes.cel.CelValues;
import dev.sluice.model.GoDuration;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** An expression in CEL over {@code self}, with the functions that KWOK adds. */
final class CelExpression implements Expression {
  private final CelProgram program;

  private CelExpression(CelProgram program) {
    this.program = program;
  }

  /** Created with the first expression: most stages have none, and it is expensive. */
  private static final class Language {
    static final CelLanguage OF_STAGES = new CelLanguage(List.of("self"), List.of());
  }

  static CelExpression compile(String text) {
    return new CelExpression(Language.OF_STAGES.compile(text));
  }

  @Override
  public List<Value> evaluate(Tree object, Moment moment) {
    try {
      return value(
          program.evaluate(
              Map.of("self", CelValues.plain(object)),
              moment.now(),
              moment.random(),
              List.of(),
              moment.meter()));
    } catch (CelFailedException | ArithmeticException failed) {
      moment.meter().charge(0);
      return List.of();
    }
  }

  private static List<Value> value(Object result) {
    return switch (result) {
      case Duration duration -> List.of(new Value.Text(GoDuration.format(duration.toNanos())));
      case Instant moment -> List.of(new Value.Text(moment.toString()));
      case Double number when Double.isFinite(number) ->
          List.of(new Value.Decimal(BigDecimal.valueOf(number)));
      case String text -> List.of(new Value.Text(text));
      case Long number -> List.of(new Value.Whole(number));
      case Boolean flag -> List.of(Value.Flag.of(flag));
      default -> List.of();
    };
  }
}
