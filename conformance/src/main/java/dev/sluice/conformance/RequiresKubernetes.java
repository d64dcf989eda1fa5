package dev.sluice.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a real Kubernetes: constructors and methods may take a {@link RealKubernetes}.
 * All classes of a test run that ask for the same parts share one.
 *
 * <p>Without the binaries the tests are skipped; with {@code SLUICE_REQUIRE_KUBERNETES=true} in the
 * environment they fail instead.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RealKubernetesExtension.class)
public @interface RequiresKubernetes {

  /** What must run besides the API server. */
  RealKubernetes.Part[] value() default {};
}
