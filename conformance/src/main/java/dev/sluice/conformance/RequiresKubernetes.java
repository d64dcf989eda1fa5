package dev.sluice.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The annotation of test classes that need a real Kubernetes: constructors and methods may take a
 * {@link RealKubernetes}. All classes of a test run with the same parts share one.
 *
 * <p>Without the binaries the tests are skipped; with {@code SLUICE_REQUIRE_KUBERNETES=true} in the
 * environment they fail instead.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RealKubernetesExtension.class)
public @interface RequiresKubernetes {

  /** The programs that must run in addition to the API server. */
  RealKubernetes.Part[] value() default {};
}
