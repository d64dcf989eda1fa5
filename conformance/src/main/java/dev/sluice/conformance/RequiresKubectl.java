package dev.sluice.conformance;

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
 * The annotation of tests that use the real kubectl. Without one they are skipped, or fail if it is
 * required.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RequiresKubectl.Condition.class)
public @interface RequiresKubectl {

  /** Looks for kubectl. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return Kubectl.isHere()
          ? ConditionEvaluationResult.enabled("kubectl is here")
          : Skips.HERE.skip(
              "what kubectl is needed for",
              "there is no kubectl; install it, or run dev/kubernetes once");
    }
  }
}
