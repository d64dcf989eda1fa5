package dev.sluice.conformance;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** The JUnit extension behind {@link RequiresKubernetes}. */
public final class RealKubernetesExtension implements ExecutionCondition, ParameterResolver {
  private static final ExtensionContext.Namespace SHARED =
      ExtensionContext.Namespace.create(RealKubernetesExtension.class);

  private final Optional<Path> binaries;
  private final Skips skips;

  public RealKubernetesExtension() {
    this(KubernetesBinaries.find(), Skips.HERE);
  }

  RealKubernetesExtension(Optional<Path> binaries, Skips skips) {
    this.binaries = binaries;
    this.skips = skips;
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return evaluate();
  }

  ConditionEvaluationResult evaluate() {
    if (binaries.isPresent()) {
      return ConditionEvaluationResult.enabled("a real Kubernetes from " + binaries.get());
    }
    return skips.skip("what a real Kubernetes is needed for", KubernetesBinaries.ADVICE);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RealKubernetes.class;
  }

  @Override
  public RealKubernetes resolveParameter(ParameterContext parameter, ExtensionContext context) {
    RealKubernetes.Part[] parts =
        AnnotationSupport.findAnnotation(
                context.getRequiredTestClass(),
                RequiresKubernetes.class,
                context.getEnclosingTestClasses())
            .map(RequiresKubernetes::value)
            .orElseGet(() -> new RealKubernetes.Part[0]);
    // The root's store closes what it holds at the end of the run.
    return context
        .getRoot()
        .getStore(SHARED)
        .computeIfAbsent(
            new TreeSet<>(Arrays.asList(parts)),
            key -> RealKubernetes.start(binaries.orElseThrow(), parts),
            RealKubernetes.class);
  }
}
