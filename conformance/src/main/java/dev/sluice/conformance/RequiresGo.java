package dev.sluice.conformance;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Tests that compare with programs in Go, which they compile. Without Go they are skipped; with
 * {@code SLUICE_REQUIRE_KUBERNETES=true} in the environment they fail instead.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RequiresGo.Condition.class)
public @interface RequiresGo {

  /** Looks for the go command. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return isHere()
          ? ConditionEvaluationResult.enabled("Go is here")
          : Skips.HERE.skip(
              "what is compared with Go", "there is no go command; install Go 1.24 or newer");
    }

    private static boolean isHere() {
      try {
        return new ProcessBuilder("go", "version")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor()
            == 0;
      } catch (IOException absent) {
        return false;
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
